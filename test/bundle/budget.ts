import type { Metafile } from 'esbuild';

/** What a function may weigh, in KiB of its bundle: sizes do not depend on the machine. Decision 19 says what they rest on. */

// The headers for browsers are less than 1 in each; eleven of these had no room for it.
const named: Readonly<Record<string, number>> = {
  // What the texts of agreements may have: HTML, Markdown and PDF are looked at (4).
  'publish-agreement-version': 338,
  // It knows the places of all roles, and the client of each tool's.
  authorizer: 23,
  // DynamoDB's client, and the token's verification.
  'staff-authorizer': 231,
  'route-not-found': 4,
  'pre-token-generation': 4,
  // It verifies a token, renews a session, and has the queue's client (20) for the mail about a stolen token. A secret is a ring of keys (1).
  'get-physician-access': 285,
  // The kept list of passwords (35), and the sign-in inside the function with its count of tries (5).
  // 1 of it reads the ring of keys, 1 is what procedures take.
  'change-password': 319,
  'choose-first-password': 311,
  // It signs in, and renews with refresh tokens of our own: their rules, the ends of a session, and the mail about a stolen token.
  // A secret is a ring of keys, and tries count under each (1).
  'issue-tokens': 286,
  // Whom to call in a crisis (8), in two languages and 14 countries; publishing also reads which bundles ask for the questionnaire.
  'read-questionnaire': 240,
  'read-questionnaire-response': 243,
  'publish-questionnaire': 243,
  // What codes have unlocked, the run of sleep windows, and whom to call in a crisis (12), in two languages and 14 countries.
  'put-questionnaire-response': 263,
  'complete-questionnaire-response': 253,
  'amend-questionnaire-response': 253,
  // The export says of each table in two languages what it holds (three tables of flags and tickets: 1); FHIR is 13, and its zones 20.
  'make-export': 404,
  // The board's message, the audit event and the key, in one transaction with the ticket.
  'add-ticket-comment': 240,
  // The directory, the site, the roster and the mail's queue, in one transaction. The product's applications say how long their sessions live.
  // The invitation's code, which the answer has, is drawn here.
  // 1 of it reads the ring of keys, 2 is what procedures take.
  'invite-staff': 285,
  'reset-staff-mfa': 281,
  // It exchanges a temporary password by a sign-in, and has the queue's client.
  'accept-invitation': 310,
  // The readers of six domains, each for what a page shows.
  // 1 of it reads the ring of keys.
  'list-patients': 239,
  'read-patient': 265,
  // 1 of it reads the ring of keys.
  'read-patient-timeline': 244,
  // The readers of six domains, and what each is in FHIR (5). The key of cursors is a ring (1).
  'search-own-fhir': 261,
  // The list of passwords (35), and the turn of an account, with what is sealed in it (4).
  'replace-password': 313,
  // What the person's own request carries, and the check of declared access. SQS for the notice is 20 of it.
  'request-erasure-of': 387,
  // Courses, rules of unlocking, entitlements and answers.
  'read-course': 341,
  'read-unit': 341,
  // The window as the home screen shows it: signs, ages, texts (25).
  'read-programme': 282,
  // The rules of the second rule set (13), and what a patient reads tonight in two languages.
  'withdraw-sleep-window': 265,
  'read-sleep-summary-of-patient': 238,
  // The check of declared access (11), zones (20), questionnaires' concerns (5), reasons; replacing a window; the report's page and texts.
  'read-sleep-window': 271,
  'release-own-sleep-window': 273,
  'read-sleep-window-of-patient': 284,
  'release-sleep-window': 286,
  'read-sleep-report-of-patient': 300,
};
// Every function knows TLS's codes, and which codes of errors may be logged (half of one).
const withoutClient = 42;
/** DynamoDB, or one other client in its place. */
const withOneClient = 235;
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

/** The two looks at a consent, the second at one moment (decision 63); the named functions with the check have it in their figures. */
const looks = { path: /functions\/access\/reads\.ts$/, kib: 3 };

/** The kept list of breached passwords, in the functions that set a password. */
const passwords = { path: /breached-generated\.ts$/, kib: 35 };

export const settingPasswords: readonly string[] = [
  'accept-invitation',
  'change-password',
  'choose-first-password',
  'enrol-user',
  'replace-password',
];

/** Whether a bundle has the list. */
export function hasList(output: Output): boolean {
  return modulesIn(output).some((path) => passwords.path.test(path));
}

type Output = Metafile['outputs'][string];

export function budgetKiB(name: string, clients: readonly string[], modules: readonly string[] = []): number {
  if (named[name] !== undefined) return named[name];
  if (clients.length === 0) return withoutClient;
  const first = clients.includes('client-dynamodb') ? 'client-dynamodb' : clients[0];
  const further = clients.filter((client) => client !== first).map((client) => furtherClients[client] ?? 20);
  const ofZones = modules.some((path) => zones.path.test(path)) ? zones.kib : 0;
  const ofLooks = modules.some((path) => looks.path.test(path)) ? looks.kib : 0;
  const ofList = modules.some((path) => passwords.path.test(path)) ? passwords.kib : 0;
  return further.reduce((sum, more) => sum + more, withOneClient + ofZones + ofLooks + ofList);
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
