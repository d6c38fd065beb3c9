/** Which layers may import which (docs/decisions). `npm run check` fails for an import that no line here allows. */

/** `own store`: only stores of the same domain; `tables`: what a domain's tables.ts declares; `other exports`: only of other domains. `type contract`: only types. `node:crypto {createHash}`: only that binding. */
export type Rule = { readonly may: readonly string[]; readonly says: string };

/** What all of a domain's code may import that reads and writes rows. */
const withRows = [
  'own declaration',
  'value',
  'own rule',
  'other rule API',
  'other exports',
  'product',
  'access',
  'access check',
  'contract',
  'runtime',
] as const;

export const rules = {
  contract: { may: ['contract', 'zod'], says: 'lib/contract is pure: itself and zod' },
  runtime: {
    may: [
      'runtime',
      'contract',
      'zod',
      'node:*',
      '@middy/*',
      '@aws-sdk/*',
      'aws-jwt-verify',
      'negotiator',
      'type aws-lambda',
    ],
    says: 'lib/runtime is bundled into every function: no domain, no construct, no local stage',
  },
  bundle: {
    may: ['bundle', 'contract', 'esbuild', 'node:*'],
    says: 'lib/bundle builds the code of all functions, of whichever product: lib/contract, and esbuild',
  },
  analytics: {
    may: ['analytics'],
    says: 'functions/analytics is pure: views and questions as text of SQL',
  },
  stack: {
    may: ['stack', 'contract', 'aws-cdk-lib', 'constructs', 'node:*'],
    says: 'lib/stack gets the product as an argument: no domain, and nothing that a handler runs on',
  },
  local: {
    may: [
      'local',
      'local worker',
      'contract',
      'zod',
      'chokidar',
      'esbuild',
      'jose',
      '@noble/curves/nist.js',
      'otpauth',
      'node:*',
    ],
    says: 'lib/local knows the template and no domain',
  },
  explore: {
    may: ['explore', 'local', 'contract', 'esbuild', 'node:*'],
    says: 'lib/explore runs the functions of whichever product, on the tables of lib/local',
  },
  'local API': {
    may: ['local', 'local worker'],
    says: 'lib/local/index.ts and early.ts are public APIs: they hand out what is in lib/local',
  },
  'local worker': {
    may: ['local', 'local worker', 'contract', 'stack', 'bundle', 'esbuild', 'node:*'],
    says: 'synth.ts and the threads of lib/local make the template and the code: they may import lib/stack and lib/bundle',
  },
  command: {
    may: [
      'command',
      'contract',
      'runtime',
      'bundle',
      'stack',
      'analytics',
      'local API',
      'product',
      'access',
      'domains',
      'declaration',
      'value',
      'rule API',
      'store',
      'job',
      'aws-cdk-lib',
      'tool',
      // The tests' lists are what docs/reliability.md is made of.
      'test/architecture/reliability-page.ts',
      'js-yaml',
      'commander',
      'hono/html {html, raw}',
      '@aws-cdk/cloudformation-diff',
      '@aws-sdk/*',
      'node:*',
    ],
    says: 'a command knows the jobs of domains, what they rest on, and lib/local by its public API; no handler, no workflow',
  },
  tool: {
    may: [
      'command',
      'analytics',
      '@aws-sdk/client-secrets-manager',
      '@duckdb/node-api',
      '@observablehq/plot',
      'linkedom',
      '@redocly/openapi-core',
      'typescript',
      'node:*',
    ],
    says: 'a tool has packages that `npm ci` does not install: only its own modules import them',
  },
  product: { may: ['product', 'contract', 'type access'], says: 'the facts of the product are those of no domain' },
  gateway: {
    may: ['product', 'contract', 'runtime'],
    says: "the gateway's own functions are those of lib/runtime, with the facts of the product",
  },
  access: {
    may: ['access', 'contract', 'type runtime'],
    says: 'what a route about another person declares, and what follows from it, is lib/contract for this product',
  },
  'access rules': {
    may: ['access', 'contract'],
    says: 'what follows from `dataSubject` is for the stacks and the OpenAPI document, and for no function',
  },
  'access check': {
    may: ['access check', 'access', 'contract', 'runtime', '@aws-sdk/lib-dynamodb', 'node:*'],
    says: 'the check of routes about other people is lib/runtime for this product: no domain',
  },
  domains: {
    may: ['index', 'access rules', 'contract'],
    says: 'functions/domains.ts lists what each index.ts hands on',
  },
  generated: {
    may: ['type contract', 'type tables'],
    says: 'functions/generated has data about all domains, which `npm run generate` writes, and no code of a domain',
  },
  index: {
    may: ['own declaration', 'own value', 'own guide', 'own data', 'own reference'],
    says: 'index.ts hands on the declarations of its domain, and nothing else',
  },
  declaration: {
    may: ['declaration', 'generated', 'value', 'product', 'access', 'contract', 'zod'],
    says: 'a declaration has no logic: lib/contract and other declarations',
  },
  value: {
    may: ['value', 'product', 'access', 'contract', 'zod', 'type runtime', 'type own rule'],
    says: 'tables, queues, buckets, errors, permissions and the like import lib/contract, zod and one another; a table knows its row by its type',
  },
  data: {
    may: ['value', 'contract'],
    says: 'whose data tables hold is about tables, and for no function',
  },
  guide: {
    may: ['own value', 'contract', 'zod'],
    says: 'what errors mean is about those of its own domain, and for no function',
  },
  reference: {
    may: ['own declaration', 'generated', 'contract'],
    says: 'what the reference says is about routes of its own domain, and for no function',
  },
  rule: {
    may: [
      'own rule',
      'other rule API',
      'type own declaration',
      'product',
      'type contract',
      'canonicalize',
      'compare-versions',
      // Without `raw`: a rule cannot let anything past the template unescaped.
      'hono/html {html}',
      'temporal-polyfill/fns/*',
      'lib/contract/accounts.ts {endAfter}',
      'lib/contract/accounts.ts {endsIn}',
      'lib/contract/id.ts {isId}',
      'lib/contract/id.ts {isIdInRow}',
      'lib/contract/instant.ts {isTime}',
      'lib/contract/instant.ts {isToCome}',
      'lib/contract/instant.ts {isTime, isToCome}',
      'lib/contract/instant.ts {skewMs}',
      'lib/contract/revision.ts {revisionOf}',
      'lib/contract/typed-code.ts',
      'type access',
      'functions/access/consent-states.ts {isConsenting}',
      'node:crypto {createHash}',
      'node:crypto {createHmac}',
      'node:url {domainToUnicode}',
      'node:util {isDeepStrictEqual}',
    ],
    says: 'a rule is pure: it imports only rules, those of other domains by their public APIs, no clock, no I/O',
  },
  store: {
    may: ['own store', ...withRows, 'zod', 'fflate', '@aws-sdk/*', 'node:*', 'type aws-lambda'],
    says: 'a store knows stores and rules of its own domain, what others declare, and what other domains hand on by their public APIs',
  },
  workflow: {
    may: [
      'own workflow',
      'own store',
      ...withRows,
      'type @aws-sdk/*',
      'type aws-lambda',
      'node:crypto',
      'node:timers/promises',
    ],
    says: 'a workflow leaves each call to a store: its own domain, what others declare, and what other domains hand on by their public APIs',
  },
  handler: {
    may: [
      'own workflow',
      'own store',
      'generated',
      ...withRows,
      // The command's check, run by a schedule.
      'functions/ledger/jobs/check-all.ts {checkAll}',
    ],
    says: 'a handler knows its own domain, what others declare, and what other domains hand on by their public APIs; no handler, no job',
  },
  job: {
    may: ['own job', 'own workflow', 'own store', ...withRows, 'zod', '@aws-sdk/*', 'jsonc-parser', 'node:*'],
    says: 'a job knows its own domain, what others declare, and what other domains hand on by their public APIs; no handler',
  },
  'rule API': { may: ['own rule'], says: 'rules.ts hands rules of its domain to other domains, and nothing else' },
  exports: { may: ['own store'], says: 'exports.ts hands stores of its domain to other domains, and nothing else' },
} as const satisfies Record<string, Rule>;

export type Layer = keyof typeof rules;
