import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { declarations } from '../../functions/domains.ts';
import { bundle } from '../../lib/bundle/bundle.ts';
import { functionEntries } from '../../lib/bundle/entries.ts';

const run = promisify(execFile);
const outdir = mkdtempSync(join(tmpdir(), 'mobile-health-cold-'));
const wanted = ['list-messages', 'list-agreements', 'check-app-version', 'read-health', 'authorizer'];
let requests: { target: string; body: Record<string, unknown> }[] = [];
let unanswered = false;

const database = createServer(async (request, response) => {
  const body: Record<string, unknown> = JSON.parse((await text(request)) || '{}');
  requests.push({ target: String(request.headers['x-amz-target'] ?? request.url), body });
  if (unanswered) return;
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.end(JSON.stringify(request.method === 'GET' ? { keys: [] } : { Items: [] }));
});

beforeAll(async () => {
  await bundle({ outdir, entries: functionEntries(declarations).filter(({ name }) => wanted.includes(name)) });
  await new Promise<void>((resolve) => database.listen(0, '127.0.0.1', resolve));
});

beforeEach(() => {
  requests = [];
  unanswered = false;
});

afterAll(() => {
  database.closeAllConnections();
  database.close();
});

const user = { userId: 'u', roles: 'patient', exp: '4102444800' };
const event = {
  httpMethod: 'GET',
  path: '/v1/mobile/app-version/check',
  multiValueHeaders: {},
  multiValueQueryStringParameters: { platform: ['ios'], appVersion: ['1.0.0'] },
  pathParameters: null,
  body: null,
  requestContext: { requestId: 'r', authorizer: user, identity: { sourceIp: '192.0.2.1' } },
};

/** What Node loads when a property of its modules or a global is merely read, and what a cold start is certain to feel. */
const heavy = /undici|webstreams/;

/** In a process of its own: the module is loaded, and then it is invoked. */
async function start(name: string, variables: Record<string, string> = {}, input: object = event) {
  const { port } = database.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const script = `
    const known = new Set(process.moduleLoadList);
    const { handler } = await import(process.argv[1]);
    const answer = await handler(${JSON.stringify(input)}, { getRemainingTimeInMillis: () => 300_000 }).catch(String);
    const heavy = process.moduleLoadList.filter((module) => !known.has(module) && ${heavy}.test(module));
    console.log(JSON.stringify({ status: answer.statusCode ?? answer, heavy }));
    process.exit(0);`;
  const env = {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
    AWS_ENDPOINT_URL_DYNAMODB: url,
    ENVIRONMENT: 'prod',
    APPLICATION: 'sleepcare',
    CURSOR_KEY: 'k'.repeat(64),
    AGENT_BOARD_MESSAGES_TABLE: 'messages',
    AGREEMENTS_TABLE: 'agreements',
    CONSENT_STATES_TABLE: 'states',
    ACCOUNTS_TABLE: 'accounts',
    ENDED_SESSIONS_TABLE: 'ended',
    APP_VERSION_POLICIES_TABLE: 'policies',
    USER_POOL_ID: 'eu-central-1_pool',
    API_KEYS: '{"client":"key"}',
    ISSUER: url,
    ...variables,
  };
  const file = join(outdir, name, 'index.mjs');
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script, file], { env });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as { status: unknown; heavy: string[] };
}

const onLambda = { AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand' };
const targets = () => requests.map(({ target }) => target.split('.')[1]);

test('nothing heavy of Node’s after the first invocation of a function that reads a table', async () => {
  expect(await start('list-messages', onLambda)).toMatchObject({ status: 200, heavy: [] });
});

test('none either without a table', async () => {
  expect(await start('read-health', onLambda)).toMatchObject({ status: 200, heavy: [] });
  expect(requests).toEqual([]);
});

test('on Lambda a row that does not exist is read once, before the first request', async () => {
  await start('list-messages', onLambda);
  expect(targets()[0]).toBe('GetItem');
  expect(requests[0]?.body).toMatchObject({
    TableName: 'messages',
    Key: { userId: { S: '~init' }, messageId: { S: '~init' } },
  });
  expect(requests.filter(({ body }) => JSON.stringify(body).includes('~init'))).toHaveLength(1);
  expect(targets().length).toBeGreaterThan(1);
});

test('a function with a cache fills it instead of reading that row, and the first request does not read again', async () => {
  expect(await start('list-agreements', onLambda)).toMatchObject({ status: 200 });
  const tablesOf = ({ TableName, RequestItems }: Record<string, unknown>) =>
    TableName ?? Object.keys(RequestItems as object).join(', ');
  expect(requests.map(({ body }) => tablesOf(body))).toEqual(['agreements', 'states', 'accounts, ended']);
});

test('nowhere else', async () => {
  await start('list-messages');
  expect(requests.filter(({ body }) => JSON.stringify(body).includes('~init'))).toEqual([]);
});

test('not in a function that can do without the database', async () => {
  await start('check-app-version', onLambda);
  expect(requests.filter(({ body }) => JSON.stringify(body).includes('~init'))).toEqual([]);
});

// For how long it is waited, test/runtime/initialize.test.ts says.
test('a database that does not answer is asked once at the start, and does not stop it', async () => {
  unanswered = true;
  expect(await start('list-messages', onLambda)).toMatchObject({ status: 503 });
  expect(targets()[0]).toBe('GetItem');
  // The page, and beside it the caller's two rows.
  const twoCalls = ['BatchGetItem', 'Query'].flatMap((each) => [each, each, each]);
  expect(targets().slice(1).toSorted()).toEqual(twoCalls);
});
