import type { Metafile } from 'esbuild';

/** No function may weigh more, in KiB: the heaviest, make-export, has 407. Each KiB is parsed in a cold start, for 0.05 ms (decision 19). */
export const ceilingKiB = 420;

export const settingPasswords: readonly string[] = [
  'accept-invitation',
  'change-password',
  'choose-first-password',
  'enrol-user',
  'replace-password',
];

/** Whether a bundle has the list. */
export function hasList(output: Output): boolean {
  return modulesIn(output).some((path) => /breached-generated\.ts$/.test(path));
}

type Output = Metafile['outputs'][string];

/** The ten largest, a line each. */
export function largestOf({ outputs }: Metafile): string {
  const lines = Object.entries(outputs)
    .toSorted(([, one], [, other]) => other.bytes - one.bytes)
    .slice(0, 10)
    .map(([path, { bytes }]) => `${(bytes / 1024).toFixed(1)} KiB  ${path.replace('/index.mjs', '')}`);
  return ['the largest bundles:', ...lines].join('\n  ');
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
