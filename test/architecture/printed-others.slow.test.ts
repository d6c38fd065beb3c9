import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describe, expect, test } from 'vitest';
import { operations } from '../../functions/domains.ts';
import { deployments } from '../../functions/product.ts';
import { type Call, printedCalls } from './printed-shell.ts';

/** `aws` by the models of the SDK's clients, `curl` by our own routes; `printed-commands.slow.test.ts` types what npm runs. */

const calls = printedCalls();
const of = (program: string): Call[] => calls.filter((call) => call.program === program);

/** The clients of the project, by the CLI's name of their service. */
const clients: Readonly<Record<string, () => Promise<object>>> = {
  apigateway: () => import('@aws-sdk/client-api-gateway'),
  cloudformation: () => import('@aws-sdk/client-cloudformation'),
  dynamodb: () => import('@aws-sdk/client-dynamodb'),
  iam: () => import('@aws-sdk/client-iam'),
  s3api: () => import('@aws-sdk/client-s3'),
  'service-quotas': () => import('@aws-sdk/client-service-quotas'),
  sesv2: () => import('@aws-sdk/client-sesv2'),
  sns: () => import('@aws-sdk/client-sns'),
  sqs: () => import('@aws-sdk/client-sqs'),
};
/** Of services that the project does not call: https://docs.aws.amazon.com/cli/latest/reference/ */
const others: Readonly<Record<string, readonly string[]>> = {
  'guardduty send-object-malware-scan': ['s3-object'],
  'sts get-caller-identity': [],
};
/** https://docs.aws.amazon.com/cli/latest/reference/#options */
const global = ['query', 'output', 'region', 'profile'];

/** The CLI's names of an operation's parameters, by the client's own schema; null: there is no such operation. */
async function parametersOf(service: string, operation: string): Promise<readonly string[] | null> {
  const literal = others[`${service} ${operation}`];
  if (literal) return literal;
  const client = await clients[service]?.();
  const name = `${operation.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Command`;
  const Command = client && (client as Record<string, unknown>)[name];
  if (typeof Command !== 'function') return null;
  const { schema } = Reflect.construct(Command, [{}]) as { schema: readonly unknown[] };
  const input = typeof schema[4] === 'function' ? schema[4]() : schema[4];
  // A structure's fourth and fifth: its members' names and forms.
  return ((input[4] ?? []) as string[]).map((member) =>
    member
      .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1-$2')
      .toLowerCase(),
  );
}

/** As the CLI reads one: JSON, or `key=value,…`, or plain. */
function isReadable(value: string): boolean {
  if (/^[{[]/.test(value)) return JSON.parse(value) !== null;
  return !value.includes('=') || value.split(',').every((part) => /^\w+=/.test(part));
}

test('they are found: blocks, sentences and tools', () => {
  const shown = of('aws').map(({ words }) => words.slice(0, 2).join(' '));
  for (const each of [
    'sts get-caller-identity',
    'apigateway update-stage',
    'dynamodb scan',
    'sqs start-message-move-task',
  ])
    expect(shown).toContain(each);
  for (const each of ['cloudformation delete-stack', 'service-quotas request-service-quota-increase'])
    expect(shown).toContain(each);
  expect(of('curl').length).toBeGreaterThan(30);
});

describe.each(of('aws'))('aws $words', ({ words: [service = '', operation = '', ...more] }) => {
  test('is an operation, with parameters that it has', async () => {
    const known = await parametersOf(service, operation);
    expect(known, `${service} ${operation}`).not.toBeNull();
    const options = more.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
    for (const option of options) expect([...(known ?? []), ...global]).toContain(option);
    const values = more.filter((word, i) => !word.startsWith('--') && more[i - 1] !== '--query');
    for (const value of values) expect(isReadable(value), value).toBe(true);
  });
});

/** What of curl's options is printed. */
const curlOptions = {
  silent: { type: 'boolean', short: 's' },
  fail: { type: 'boolean', short: 'f' },
  'show-error': { type: 'boolean', short: 'S' },
  request: { type: 'string', short: 'X' },
  header: { type: 'string', short: 'H', multiple: true },
  data: { type: 'string', short: 'd' },
  output: { type: 'string', short: 'o' },
  'write-out': { type: 'string', short: 'w' },
} as const;

describe.each(of('curl'))('curl $words', ({ words }) => {
  const { values, positionals } = parseArgs({ args: [...words], options: curlOptions, allowPositionals: true });
  const { data, header = [] } = values;
  const method = values.request ?? (data === undefined ? 'GET' : 'POST');

  test('calls a route that is there, with one address and headers that are whole', () => {
    expect(positionals).toHaveLength(1);
    const [address = ''] = positionals;
    const { pathname } = new URL(address.includes('://') ? address : `http://${address}`);
    for (const each of header) expect(each).toMatch(/^[\w-]+: \S/);
    if (pathname.startsWith('/_local/') || pathname === '/f') return;
    const found = operations.filter(({ route }) =>
      route.applications.some((application) => {
        const path = `${deployments[application].basePath}${route.path}`.replace(/\{\w+\}/g, '[^/]+');
        return route.method === method && new RegExp(`^${path}$`).test(pathname);
      }),
    );
    expect(
      found.map(({ id }) => id),
      `${method} ${pathname}`,
    ).not.toEqual([]);
  });

  test('sends JSON, and says so', () => {
    if (data === undefined) return;
    expect(header).toContain('Content-Type: application/json');
    const file = data.startsWith('@') ? join(import.meta.dirname, '..', '..', data.slice(1)) : null;
    if (file) expect(existsSync(file)).toBe(true);
    expect(JSON.parse(file ? readFileSync(file, 'utf8') : data)).toBeTypeOf('object');
  });
});
