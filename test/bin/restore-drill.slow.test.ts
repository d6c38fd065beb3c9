import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { tables } from '../../functions/domains.ts';
import { typed } from '../typed.ts';

/** The command as it is run, where the restore of one of two tables is refused: what is left behind then. */

const exists = new Set<string>();
let mayDelete = true;

const refusal = (type: string, message: string) => ({ status: 400, body: { __type: `x#${type}`, message } });
const gone = refusal('ResourceNotFoundException', 'no such table');
const denied = refusal('AccessDeniedException', 'not allowed');
const ok = (body: object) => ({ status: 200, body });
const window = {
  PointInTimeRecoveryStatus: 'ENABLED',
  EarliestRestorableDateTime: 1_760_000_000,
  LatestRestorableDateTime: 1_763_000_000,
};

function answer(operation: string, input: Record<string, string>): { status: number; body: object } {
  const { TableName = '', TargetTableName = '' } = input;
  if (operation === 'RestoreTableToPointInTime') {
    if (TargetTableName.startsWith('ConsentStates')) return denied;
    exists.add(TargetTableName);
    return ok({});
  }
  if (operation === 'DescribeContinuousBackups')
    return ok({ ContinuousBackupsDescription: { PointInTimeRecoveryDescription: window } });
  if (operation === 'GetResourcePolicy') return refusal('PolicyNotFoundException', 'none');
  if (operation === 'DescribeTable')
    return ok({ Table: { TableArn: `arn:${TableName}`, TableStatus: 'ACTIVE', KeySchema: [] } });
  if (operation === 'Scan') return ok({ Count: 3 });
  if (operation !== 'DeleteTable') return ok({});
  if (!exists.has(TableName)) return gone;
  if (!mayDelete) return denied;
  exists.delete(TableName);
  return ok({});
}

const outputs = tables.map(
  ({ name }) => `<member><OutputKey>${name}TableName</OutputKey><OutputValue>${name}</OutputValue></member>`,
);
const stack = `<member><StackName>State</StackName><Outputs>${outputs.join('')}</Outputs></member>`;
const described = `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;

const server = createServer(async (request, response) => {
  const asked = await text(request);
  const target = String(request.headers['x-amz-target'] ?? '');
  if (!target) return response.writeHead(200, { 'Content-Type': 'text/xml', Connection: 'close' }).end(described);
  const { status, body } = answer(target.split('.')[1] ?? '', JSON.parse(asked));
  return response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' }).end(JSON.stringify(body));
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  exists.clear();
  mayDelete = true;
});

function drill(...more: string[]) {
  const env = {
    ...process.env,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' },
  };
  return typed(['restore-drill', '--stage', 'dev', ...more], env);
}

test('2: one is refused, and the other is deleted', async () => {
  const { code, out, err } = await drill();
  expect([code, err]).toEqual([2, 'not restored: ConsentStates: not allowed\n']);
  expect(out).toMatch(/^ConsentRecords-restored-\d+: 3 items, as ConsentRecords$/m);
  expect([...exists]).toEqual([]);
});

test('2: of all tables each but the refused one is restored, and deleted again', async () => {
  const { code, out, err } = await drill('--all');
  expect([code, err]).toEqual([2, 'not restored: ConsentStates: not allowed\n']);
  expect(out).toContain(`${tables.length} tables, 50 at a time: expect about 2 hours`);
  expect(out.match(/^\w+-restored-\d+: 3 items/gm)).toHaveLength(tables.length - 1);
  expect([...exists]).toEqual([]);
});

test('2: what could not be deleted is named', async () => {
  mayDelete = false;
  const { code, err } = await drill();
  expect(code).toBe(2);
  expect(err).toMatch(/^left, to be deleted by hand: ConsentRecords-restored-\d+: not allowed$/m);
});

test('2: what is to be kept is named, and stays', async () => {
  const { code, out } = await drill('--keep');
  expect(code).toBe(2);
  expect(out).toMatch(/^kept: ConsentRecords-restored-\d+; continue with docs\/restore.md$/m);
  expect(exists.size).toBe(1);
});

test('0: a table that AWS Backup restored is equipped, and none is restored', async () => {
  const { code, out, err } = await drill('--equip', 'FromTheVault', '--table', 'ConsentRecords');
  expect([code, out, err]).toEqual([0, 'FromTheVault: as ConsentRecords\n', '']);
  expect([...exists]).toEqual([]);
});
