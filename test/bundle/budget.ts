import type { Metafile } from 'esbuild';

/** What a function may weigh, in KiB of its bundle: sizes do not depend on the machine. Decision 19 says what they rest on. */

/** A collection's pages are 8 KiB, most of them zod's. Those of `/iam` carry the permissions of all domains; the forms of a questionnaire are 20. */
const named: Readonly<Record<string, number>> = {
  // It knows the places of all roles.
  authorizer: 22,
  // DynamoDB's client, and the token's verification.
  'staff-authorizer': 231,
  'route-not-found': 4,
  'list-roles': 52,
  'read-own-permissions': 44,
  // It verifies a token, renews a session and keeps it.
  'get-physician-access': 254,
  'import-questionnaire': 64,
  'simulate-questionnaire': 64,
  // Whom to call in a crisis (8), in two languages and 14 countries; publishing also reads which bundles ask for the questionnaire.
  'read-questionnaire': 237,
  'read-questionnaire-response': 240,
  'publish-questionnaire': 239,
  // What codes have unlocked, the run of sleep windows, and whom to call in a crisis (12), in two languages and 14 countries.
  'put-questionnaire-response': 262,
  'complete-questionnaire-response': 250,
  'amend-questionnaire-response': 251,
  // The export says of each table in two languages what it holds; FHIR is 13, and its zones 20.
  'make-export': 403,
  // The board's message, the audit event and the key, in one transaction with the ticket.
  'add-ticket-comment': 234,
  // The directory, the site, the roster and the mail's queue, in one transaction.
  'invite-staff': 275,
  // The readers of six domains, each for what a page shows.
  'list-patients': 233,
  'read-patient': 260,
  'read-patient-timeline': 239,
  // The readers of six domains, and what each is in FHIR (5).
  'search-own-fhir': 259,
  // What the person's own request carries, and the check of declared access.
  'request-erasure-of': 360,
  // Courses, rules of unlocking, entitlements and answers.
  'read-course': 338,
  'read-unit': 338,
  // The window as the home screen shows it: signs, ages, texts (25).
  'read-programme': 280,
  // The rules of the second rule set (13), and what a patient reads tonight in two languages.
  'withdraw-sleep-window': 259,
  'read-sleep-summary-of-patient': 232,
  // The check of declared access (11), zones (20), questionnaires' concerns (5), reasons; replacing a window; the report's page and texts.
  'read-sleep-window': 268,
  'release-own-sleep-window': 270,
  'read-sleep-window-of-patient': 278,
  'release-sleep-window': 280,
  'read-sleep-report-of-patient': 294,
};
const withoutClient = 41;
/** DynamoDB, or one other client in its place. */
const withOneClient = 231;
/** Each further client brings its schemas, errors and endpoint rules; S3's also two protocols and checksums. */
const furtherClients: Readonly<Record<string, number>> = {
  'client-sns': 20,
  'client-cognito-identity-provider': 20,
  'client-kms': 20,
  'client-sqs': 20,
  'client-eventbridge': 20,
  'client-s3': 100,
};

/** A library of time zones, in the functions that look at a clock on the wall. */
const zones = { path: /node_modules\/temporal-polyfill\//, kib: 20 };

type Output = Metafile['outputs'][string];

export function budgetKiB(name: string, clients: readonly string[], modules: readonly string[] = []): number {
  if (named[name] !== undefined) return named[name];
  if (clients.length === 0) return withoutClient;
  const first = clients.includes('client-dynamodb') ? 'client-dynamodb' : clients[0];
  const further = clients.filter((client) => client !== first).map((client) => furtherClients[client] ?? 20);
  const ofZones = modules.some((path) => zones.path.test(path)) ? zones.kib : 0;
  return further.reduce((sum, more) => sum + more, withOneClient + ofZones);
}

/** The clients of AWS that are in the bundle. */
export function clientsIn(output: Output): string[] {
  const found = modulesIn(output).map((path) => /node_modules\/@aws-sdk\/(client-[a-z0-9-]+)\//.exec(path)?.[1]);
  return [...new Set(found.filter((name) => name !== undefined))].sort();
}

/** What is in the bundle with at least a byte of its own. */
export function modulesIn({ inputs }: Output): string[] {
  return Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
}

/** What Lambda has no use for, or what has a lighter form. */
export const unwanted: readonly RegExp[] = [
  /@aws-sdk\/(nested-clients|token-providers)\//,
  /@aws-sdk\/credential-provider-(?!env|node)/,
  /@smithy\/credential-provider-imds\//,
  /shared-ini-file-loader\/(parseIni|readFile|getHomeDir)/,
  /event-streams\/(?!index)/,
  /\/eventstream-/,
  /node-http2-handler/,
  /\/(mnemonist|obliterator|bowser|fetch-http-handler)\//,
  /@aws-sdk\/endpoint-cache\//,
  /zod\/v4\/classic\//,
  /zod\/v4\/locales\/(?!en\.)/,
  /zod\/v4\/core\/(json-schema|to-json-schema)/,
  /aws-cdk-lib|\/esbuild\//,
  /^test\//,
];
