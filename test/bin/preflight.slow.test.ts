import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

/** The command with `--probe`, against a CloudFormation that makes stacks or does not; every other service refuses. */

const root = new URL('../..', import.meta.url).pathname;
const field = (name: string, value: string) => `<${name}>${value}</${name}>`;
const member = (...fields: string[]) => `<member>${fields.join('')}</member>`;
const answer = (action: string, body: string) =>
  `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`;

/** Nobody listens there. */
const address = field('OutputKey', 'Address') + field('OutputValue', 'http://127.0.0.1:1');
const named = ['LedgerName', 'ReplacedName', 'PoolId', 'ClientId', 'OwnAccountClientId', 'ApiId', 'FunctionName'].map(
  (name) => field('OutputKey', name) + field('OutputValue', 'any'),
);
const outputs = field('Outputs', [address, ...named].map((each) => member(each)).join(''));

const statuses = new Map<string, string>();
const calls: string[] = [];
/** When all stacks were made. */
let madeAt = new Date(0);
/** What becomes of a creation. */
let created = 'CREATE_COMPLETE';
/** Called when a stack is begun. */
let begun = (_name: string): void => undefined;

const idOf = (name: string) => `arn:aws:cloudformation:eu-central-1:000000000000:stack/${name}/1`;
const nameOf = (stack: string) => /:stack\/([^/]+)\//.exec(stack)?.[1] ?? stack;

function cloudFormation(asked: URLSearchParams): string | null {
  const [action = '', name] = [asked.get('Action') ?? '', nameOf(asked.get('StackName') ?? '')];
  const status = statuses.get(name);
  if (action === 'DescribeStacks') {
    if (!status) return null;
    const named = [field('StackId', idOf(name)), field('StackName', name), field('StackStatus', status)];
    const stack = [...named, field('CreationTime', madeAt.toISOString()), outputs];
    return answer(action, field('Stacks', member(...stack)));
  }
  if (action === 'CreateStack') {
    calls.push(`create ${name}`);
    statuses.set(name, created);
    begun(name);
    return answer(action, field('StackId', idOf(name)));
  }
  if (action === 'DeleteStack') {
    calls.push(`delete ${name}`);
    statuses.delete(name);
    return answer(action, '');
  }
  const event = [
    field('StackId', idOf(name)),
    field('EventId', '1'),
    field('StackName', name),
    field('LogicalResourceId', 'Client'),
    field('ResourceType', 'AWS::Cognito::UserPoolClient'),
    field('ResourceStatus', 'CREATE_FAILED'),
    field('ResourceStatusReason', 'custom:unused may not be the only one'),
    field('Timestamp', new Date().toISOString()),
  ];
  return answer(action, field('StackEvents', member(...event)));
}

const server = createServer(async (request, response) => {
  const body = await text(request);
  const asked = new URLSearchParams(body);
  const end = (status: number, content: string) =>
    response.writeHead(status, { 'Content-Type': 'text/xml', Connection: 'close' }).end(content);
  const failure = (code: string, message: string) =>
    `<ErrorResponse><Error>${field('Code', code)}${field('Message', message)}</Error></ErrorResponse>`;
  if (!asked.has('Action')) return end(403, failure('AccessDenied', 'refused here'));
  const answered = cloudFormation(asked);
  return answered === null
    ? end(400, failure('ValidationError', 'Stack with id x does not exist'))
    : end(200, answered);
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  statuses.clear();
  calls.length = 0;
  created = 'CREATE_COMPLETE';
  madeAt = new Date(0);
  begun = () => undefined;
});

const probe = (...more: string[]) => preflight('--stage', 'dev', '--probe', '--poll-ms', '20', ...more);

function preflight(...words: string[]) {
  const { port } = server.address() as AddressInfo;
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' },
  };
  const child = spawn(process.execPath, ['bin/cli.ts', 'preflight', ...words], { cwd: root, env });
  const out = text(child.stdout);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, ended, out };
}

const [state, api] = ['MobileHealth-dev-ProbeState', 'MobileHealth-dev-ProbeApi'];

test('a first deployment of prod that was rolled back is still to come', async () => {
  statuses.set('MobileHealth-prod-State', 'ROLLBACK_COMPLETE');
  expect(await preflight('--stage', 'prod').out).toMatch(/^ok {5}Protection: comes with the next deployment$/m);
});

test('1: a construct that AWS refuses is reported with the reason, and what was made is deleted', async () => {
  created = 'ROLLBACK_COMPLETE';
  const { ended, out } = probe();
  expect(await ended).toBe(1);
  expect(await out).toMatch(
    /^FAILS .*Client \(AWS::Cognito::UserPoolClient\): custom:unused may not be the only one$/m,
  );
  expect(calls).toEqual([`create ${state}`, `delete ${state}`]);
  expect(statuses.size).toBe(0);
});

test('1: checks that fail are reported one by one, and everything is deleted', async () => {
  const { ended, out } = probe();
  expect(await ended).toBe(1);
  expect((await out).match(/^FAILS/gm)?.length).toBeGreaterThan(5);
  expect(calls).toEqual([`create ${state}`, `create ${api}`, `delete ${api}`, `delete ${state}`]);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '1: %s while a stack is made: it is deleted when it may be',
  async (signal) => {
    created = 'CREATE_IN_PROGRESS';
    const { child, ended, out } = probe();
    begun = (name) => {
      child.kill(signal);
      setTimeout(() => statuses.set(name, 'CREATE_COMPLETE'), 300);
    };
    expect(await ended).toBe(1);
    expect(await out).toContain(`${signal}: deleting what was made`);
    expect(calls).toEqual([`create ${state}`, `delete ${state}`]);
  },
);

test('after a kill, the next run deletes what was left before it begins', async () => {
  created = 'CREATE_IN_PROGRESS';
  const killed = probe();
  begun = () => killed.child.kill('SIGKILL');
  await killed.ended;
  expect([...statuses.keys()]).toEqual([state]);
  statuses.set(state, 'CREATE_COMPLETE');
  [created, begun] = ['ROLLBACK_COMPLETE', () => undefined];
  await probe().ended;
  expect(calls).toEqual([`create ${state}`, `delete ${state}`, `create ${state}`, `delete ${state}`]);
});

test('1: what another one may be probing at this moment is not touched', async () => {
  statuses.set(state, 'CREATE_COMPLETE');
  madeAt = new Date();
  const { ended, out } = probe();
  expect(await ended).toBe(1);
  expect(await out).toMatch(new RegExp(`^REFUSED: ${state}, made at .*--clean-up`, 'm'));
  expect(calls).toEqual([]);
});

test('--clean-up: deletes what a run left, and makes and checks nothing', async () => {
  for (const name of [state, api]) statuses.set(name, 'CREATE_COMPLETE');
  const { ended, out } = probe('--clean-up');
  expect(await ended).toBe(0);
  expect(await out).toBe(`nothing is left of ${state} and ${api} except their key, for a week\n`);
  expect(calls).toEqual([`delete ${api}`, `delete ${state}`]);
  expect(await probe('--clean-up').ended).toBe(0);
  expect(calls).toHaveLength(2);
});
