import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { errors, models, operations, references } from '../functions/domains.ts';
import { applications, product } from '../functions/product.ts';
import type { DocumentedError } from '../lib/contract/errors.ts';
import { type DocumentOptions, type OpenApiDocument, openApiDocument } from '../lib/contract/openapi.ts';
import { errorsOf } from '../lib/contract/route.ts';
import { dataTables } from './data-page.ts';
import { modules } from './generated-modules.ts';
import type { Linter } from './linter.ts';
import { table, withPart } from './markdown.ts';
import { roleTables } from './roles-page.ts';
import { standard, withCounts } from './security-standard.ts';
import { loadTool } from './tools.ts';
import { functionsPage, withWrongHands } from './wrong-hands-page.ts';

type Generated = { path: string; expected: (current: string | null) => string | null };

const root = new URL('../', import.meta.url);

/** The content of each generated file; null if the file has no markers for it. */
export const generated: Generated[] = [
  { path: 'docs/openapi.json', expected: () => `${JSON.stringify(committedDocument(), null, 2)}\n` },
  { path: 'docs/errors.md', expected: () => errorsPage() },
  ...modules,
  { path: 'docs/routes.md', expected: (current) => current && withRoutes(current) },
  { path: 'docs/data.md', expected: (current) => current && withPart(current, 'tables', dataTables()) },
  { path: 'docs/roles.md', expected: (current) => current && withPart(current, 'roles', roleTables()) },
  { path: 'docs/security/roles.md', expected: (current) => current && withWrongHands(current) },
  { path: 'docs/security/functions.md', expected: () => functionsPage() },
  { path: standard, expected: (current) => current && withCounts(current) },
];

export function committedDocument(): OpenApiDocument {
  return documentOf({});
}

/** The document that clients are generated from: of one application, or of the routes of one environment. */
export function documentOf(part: Pick<DocumentOptions, 'application' | 'environment'>): OpenApiDocument {
  return openApiDocument({ product, operations, errors, models, references, version: version(), ...part });
}

function version(): string {
  return JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version;
}

/** @returns one line for each finding in the committed document, and in the document of each application in prod. */
async function lintDocuments(): Promise<string[]> {
  const { lint } = await loadTool<Linter>(new URL('./tools/openapi/lint.ts', import.meta.url));
  const committed = committedDocument();
  const documents = [committed, ...applications.map((application) => documentOf({ application, environment: 'prod' }))];
  const found = [];
  for (const document of documents) found.push(...(await lint(document)));
  return [...new Set(found)].map((line) => `docs/openapi.json: ${line}`);
}

/** @returns null if the text has no markers. */
export function withRoutes(text: string): string | null {
  return withPart(text, 'routes', routesTable());
}

function routesTable(): string {
  return table(
    ['method', 'path', 'applications', 'environments', 'permission', 'what it does'],
    operations.map(({ route }) => [
      route.method,
      `\`${route.path}\``,
      route.applications.join(', '),
      route.environments?.join(', ') ?? 'all',
      route.auth === 'public' ? 'none (public)' : `\`${route.auth.name}\``,
      route.summary,
    ]),
  );
}

function errorsPage(): string {
  const overview = table(
    ['code', 'status', 'meaning'],
    errors.map(({ error: { code, status, message } }) => [
      `[\`${code}\`](#${code.toLowerCase()})`,
      String(status),
      message,
    ]),
  );
  const parts = [
    '# Errors',
    'Generated from `functions/*/errors.ts` and `errors-guide.ts`, and `lib/contract/common-errors.ts` for all domains, by\n' +
      '`npm run generate`; do not edit.',
    'Every error is `{ "code", "message", "detail" }`. Act on `code`: it is stable. `message` is for developers and may\n' +
      'change; `detail` is null unless this page says otherwise.',
    overview,
    ...errors.map(errorSection),
  ];
  return `${parts.join('\n\n')}\n`;
}

function errorSection({ error, guide }: DocumentedError): string {
  const routes = operations.filter(({ route }) => errorsOf(route).includes(error)).map(({ id }) => `\`${id}\``);
  const { code, status, message } = error;
  const retryAfter = error.retryAfter === undefined ? '' : ` with \`Retry-After: ${error.retryAfter}\``;
  return [
    `## ${code}`,
    `${status}${retryAfter}: ${message}`,
    `**When**: ${guide.when}`,
    `**What a client does**: ${guide.client}`,
    ...(guide.example ? [`**Detail**: \`${JSON.stringify(guide.example)}\``] : []),
    `**Routes**: ${routes.length === operations.length ? 'all' : routes.join(', ') || 'none; the gateway answers it'}`,
  ].join('\n\n');
}

function read(path: string): string | null {
  try {
    return readFileSync(new URL(path, root), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

type Options = Pick<DocumentOptions, 'application' | 'environment'>;

export async function run(options: Options): Promise<void> {
  if (options.application === undefined && options.environment === undefined) await generate(false);
  else console.log(JSON.stringify(documentOf(options), null, 2));
}

/** @param checks only names what is not up to date */
export async function generate(checks: boolean): Promise<void> {
  const stale = modules.filter(({ path, expected }) => expected() !== read(path));
  if (!checks && stale.length > 0) {
    for (const { path, expected } of stale) writeFileSync(new URL(path, root), expected());
    // This process has loaded the old files, and some declarations depend on them.
    execFileSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' });
    return;
  }
  const complaints = await lintDocuments();
  // Late, since scenarios load what the modules above are made for.
  const { unbrokenPage, withReliability } = await import('../test/architecture/reliability-page.ts');
  const reliability: Generated = {
    path: 'docs/reliability.md',
    expected: (current) => current && withReliability(current),
  };
  const unbroken: Generated = { path: 'test/explorer/unbroken.md', expected: unbrokenPage };
  for (const { path, expected } of [...generated, reliability, unbroken]) {
    const current = read(path);
    const wanted = expected(current);
    if (wanted === null) complaints.push(`${path}: is missing, or the markers of its generated part`);
    else if (wanted === current) continue;
    else if (checks) complaints.push(`${path}: is stale, run npm run generate`);
    else writeFileSync(new URL(path, root), wanted);
  }
  for (const complaint of complaints) console.error(complaint);
  if (complaints.length > 0) process.exitCode = 1;
}
