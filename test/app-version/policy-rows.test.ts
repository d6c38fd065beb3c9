import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { appVersionPolicyReplaced } from '../../functions/app-version/audit-actions.ts';
import type { StoredPolicy } from '../../functions/app-version/rules/policy.ts';
import { seedPolicies } from '../../functions/app-version/seed/seed.ts';
import {
  type PolicyKey,
  readPolicy,
  readRow,
  writePolicy as write,
} from '../../functions/app-version/stores/policy-rows.ts';
import { type Call, type Fault, startDynamoDb } from '../../lib/local/dynamodb/front.ts';
import { documentsOf } from '../../lib/runtime/documents.ts';
import { callLimits, hastyLimits } from '../../lib/runtime/limits.ts';
import { longestWaitMs } from '../runtime/longest-wait.ts';
import { createTables } from '../tables.ts';
import { policy } from './policy.ts';

const table = 'AppVersionPolicies';
const tables = { AppVersionPolicies: table, AuditEvents: 'AuditEvents' };
const key = { application: 'sleepcare', platform: 'ios' } as const;

async function open(intercept: (call: Call) => Fault | undefined = () => undefined, limits = {}) {
  const database = await startDynamoDb({ intercept });
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const connect = (more: DynamoDBClientConfig) =>
    documentsOf(new DynamoDBClient({ ...more, endpoint: database.url, region: 'eu-central-1', credentials }));
  const patient = { maxAttempts: callLimits.maxAttempts };
  const [client, creator] = [connect({ ...patient, ...limits }), connect(patient)];
  onTestFinished(async () => {
    client.destroy();
    await database.close();
  });
  await createTables(creator, [table, 'AuditEvents']);
  creator.destroy();
  return client;
}

function stored(revision: number, updatedBy = 'a'): StoredPolicy {
  return { ...key, ...policy(), revision, updatedAt: '2026-03-01T12:00:00.000Z', updatedBy };
}

function writePolicy(client: DynamoDBDocumentClient, policy: StoredPolicy, changeId: string) {
  const said = { action: appVersionPolicyReplaced, subject: 's', requestId: changeId, before: null, after: null };
  const who = { application: 'medinfo', actor: policy.updatedBy, realNow: new Date() };
  return write(client, tables, { policy, changeId, audit: { ...who, ...said } });
}

async function readRevision(client: DynamoDBDocumentClient, of: PolicyKey = key) {
  return (await readRow(client, table, of))?.revision ?? 0;
}

/** The requests of those changes that left an audit event. */
async function audited(client: DynamoDBDocumentClient) {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: tables.AuditEvents }));
  return Items.map(({ requestId }) => String(requestId)).sort();
}

test('a policy is written once for each revision', async () => {
  const client = await open();
  expect(await readPolicy(client, table, key)).toBeNull();
  expect(await readRevision(client)).toBe(0);
  const writes = ['x', 'y', 'z'].map((id) => writePolicy(client, stored(1, id), id));
  expect((await Promise.all(writes)).filter((isWritten) => isWritten)).toHaveLength(1);
  expect(await writePolicy(client, stored(3), 'later')).toBe(false);
  expect(await writePolicy(client, stored(2), 'next')).toBe(true);
  expect(await readPolicy(client, table, key)).toEqual(stored(2));
  // What was not written left no audit event.
  const left = await audited(client);
  expect(left).toHaveLength(2);
  expect(left).toContain('next');
});

test('an answer that was lost after the write is a success', async () => {
  let losses = 1;
  const client = await open(({ action }) => {
    if (action !== 'TransactWriteItems' || losses === 0) return undefined;
    losses -= 1;
    return 'lose-response';
  });
  expect(await writePolicy(client, stored(1), 'x')).toBe(true);
  expect(losses).toBe(0);
  expect(await audited(client)).toEqual(['x']);
});

test('a row of another form can be replaced, and is no policy until then', async () => {
  const client = await open();
  await client.send(new PutCommand({ TableName: table, Item: { ...key, revision: 4, latestVersion: '1.0.0' } }));
  await expect(readPolicy(client, table, key)).rejects.toThrow();
  expect(await readRevision(client)).toBe(4);
  expect(await writePolicy(client, stored(5), 'x')).toBe(true);
});

test('the seed has a policy for each application and platform, and leaves what is there', async () => {
  const client = await open();
  await writePolicy(client, stored(1), 'x');
  await seedPolicies(client, tables);
  await seedPolicies(client, tables);
  expect(await readPolicy(client, table, key)).toEqual(stored(1));
  for (const application of ['sleepcare', 'medinfo'] as const) {
    for (const platform of ['ios', 'android'] as const) {
      expect(await readRevision(client, { application, platform })).toBe(1);
    }
  }
});

test.each<Fault>(['hang', 'throttle', 'error', 'garbage'])(
  'a table that fails (%s) is given up after two tries',
  async (fault) => {
    let tries = 0;
    const client = await open(
      ({ action }) => {
        if (action !== 'GetItem') return undefined;
        tries += 1;
        return fault;
        // Only what hangs meets the time limit: on a busy machine others could meet it, too.
      },
      fault === 'hang' ? hastyLimits : { maxAttempts: hastyLimits.maxAttempts },
    );
    await expect(readPolicy(client, table, key, false)).rejects.toThrow();
    expect(tries).toBe(fault === 'garbage' ? 1 : 2);
  },
);

test.each([
  ['hangs', 'TRANSIENT', 1_000],
  ['throttles', 'THROTTLING', 2_000],
] as const)('a table that %s is given up within its time', async (_, outage, mostMs) => {
  expect(await longestWaitMs(hastyLimits, outage)).toBeLessThan(mostMs);
});
