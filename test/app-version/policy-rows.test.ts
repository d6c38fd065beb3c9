import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
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
import { putRow } from '../../lib/runtime/rows.ts';
import { longestWaitMs } from '../runtime/longest-wait.ts';
import { createTables, handlesNamed } from '../tables.ts';
import { policy } from './policy.ts';

type Tables = Awaited<ReturnType<typeof open>>;
const names = ['AppVersionPolicies', 'AuditEvents'] as const;
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
  await createTables(creator, names);
  creator.destroy();
  return handlesNamed(client, names);
}

function stored(revision: number, updatedBy = 'a'): StoredPolicy {
  return { ...key, ...policy(), revision, updatedAt: '2026-03-01T12:00:00.000Z', updatedBy };
}

function writePolicy(tables: Tables, policy: StoredPolicy, changeId: string) {
  const said = { action: appVersionPolicyReplaced, subject: 's', requestId: changeId, before: null, after: null };
  const who = { application: 'medinfo', actor: policy.updatedBy, realNow: new Date() };
  return write(tables, { policy, changeId, audit: { ...who, ...said } });
}

async function readRevision({ AppVersionPolicies }: Tables, of: PolicyKey = key) {
  return (await readRow(AppVersionPolicies, of))?.revision ?? 0;
}

/** The requests of those changes that left an audit event. */
async function audited({ AuditEvents: { client, name } }: Tables) {
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name }));
  return Items.map(({ requestId }) => String(requestId)).sort();
}

test('a policy is written once for each revision', async () => {
  const tables = await open();
  expect(await readPolicy(tables.AppVersionPolicies, key)).toBeNull();
  expect(await readRevision(tables)).toBe(0);
  const writes = ['x', 'y', 'z'].map((id) => writePolicy(tables, stored(1, id), id));
  expect((await Promise.all(writes)).filter((isWritten) => isWritten)).toHaveLength(1);
  expect(await writePolicy(tables, stored(3), 'later')).toBe(false);
  expect(await writePolicy(tables, stored(2), 'next')).toBe(true);
  expect(await readPolicy(tables.AppVersionPolicies, key)).toEqual(stored(2));
  // What was not written left no audit event.
  const left = await audited(tables);
  expect(left).toHaveLength(2);
  expect(left).toContain('next');
});

test('an answer that was lost after the write is a success', async () => {
  let losses = 1;
  const tables = await open(({ action }) => {
    if (action !== 'TransactWriteItems' || losses === 0) return undefined;
    losses -= 1;
    return 'lose-response';
  });
  expect(await writePolicy(tables, stored(1), 'x')).toBe(true);
  expect(losses).toBe(0);
  expect(await audited(tables)).toEqual(['x']);
});

test('a row of another form can be replaced, and is no policy until then', async () => {
  const tables = await open();
  await putRow(tables.AppVersionPolicies, { ...key, revision: 4, latestVersion: '1.0.0' });
  await expect(readPolicy(tables.AppVersionPolicies, key)).rejects.toThrow();
  expect(await readRevision(tables)).toBe(4);
  expect(await writePolicy(tables, stored(5), 'x')).toBe(true);
});

test('the seed has a policy for each application and platform, and leaves what is there', async () => {
  const tables = await open();
  await writePolicy(tables, stored(1), 'x');
  await seedPolicies(tables);
  await seedPolicies(tables);
  expect(await readPolicy(tables.AppVersionPolicies, key)).toEqual(stored(1));
  for (const application of ['sleepcare', 'medinfo'] as const) {
    for (const platform of ['ios', 'android'] as const) {
      expect(await readRevision(tables, { application, platform })).toBe(1);
    }
  }
});

test.each<Fault>(['hang', 'throttle', 'error', 'garbage'])(
  'a table that fails (%s) is given up after two tries',
  async (fault) => {
    let tries = 0;
    const tables = await open(
      ({ action }) => {
        if (action !== 'GetItem') return undefined;
        tries += 1;
        return fault;
        // Only what hangs meets the time limit: on a busy machine others could meet it, too.
      },
      fault === 'hang' ? hastyLimits : { maxAttempts: hastyLimits.maxAttempts },
    );
    await expect(readPolicy(tables.AppVersionPolicies, key, false)).rejects.toThrow();
    expect(tries).toBe(fault === 'garbage' ? 1 : 2);
  },
);

test.each([
  ['hangs', 'TRANSIENT', 1_000],
  ['throttles', 'THROTTLING', 2_000],
] as const)('a table that %s is given up within its time', async (_, outage, mostMs) => {
  expect(await longestWaitMs(hastyLimits, outage)).toBeLessThan(mostMs);
});
