import { randomUUID } from 'node:crypto';
import {
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { replayErasures } from '../../functions/erasure/jobs/replay-erasures.ts';
import { dueKeyOf } from '../../functions/erasure/rules/due.ts';
import { erasureKeyOf, nothing } from '../../functions/erasure/rules/erasure.ts';
import { logNameOf } from '../../functions/erasure/rules/replayed.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import type { Application } from '../../lib/contract/register.ts';
import { partition } from '../partition.ts';
import { attackedStage } from './attacked-stage.ts';
import { ago, erasuresOf, stateOf } from './erasures.ts';

/** What erasures rest on, attacked: one user's evidence for another, decisions and holds dated at will, objects nobody can read. */

const attacked = attackedStage();
const { lay, read, remove, replayPlace } = erasuresOf(attacked);
const dayMs = 86_400_000;
const denied = { name: 'AccessDenied' };
const far = '9999-01-01T00:00:00.000Z';

const writers: [string, Application][] = [
  ['set-legal-hold', 'medinfo'],
  ['release-consents', 'sleepcare'],
];

async function underHold(userId: string) {
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  await call('POST', '/agreements/versions/marketing-1.0/agree');
  const admin = await attacked.caller(randomUUID(), 'admin', 'medinfo');
  expect((await admin('PUT', `/users/${userId}/legal-hold`, { reason: 'CASE-2026-17' })).status).toBe(200);
}

/** An honest erasure, as it lies in the bucket when it is over. */
async function layEvidence(userId: string, requestedAt: string) {
  const owner = attacked.owner();
  await lay(owner, `erasure-requests/${userId}/${requestedAt}.json`, { graceEndsAt: requestedAt });
  await lay(owner, `erasure-begun/${userId}/${requestedAt}.seen.json`);
  await lay(owner, `erasure-decisions/${userId}/${requestedAt}.json`, { decision: 'closing' });
  for (const kind of ['begun', 'erased']) await lay(owner, `erasure-begun/${userId}/${requestedAt}.${kind}.json`);
}

/** The state of one user under another's key, where both have the same revision, and that one's place in the queue. */
async function plantUnder([operation, application]: [string, Application], key: string, row: Erasure) {
  const TableName = attacked.table('Erasures');
  const due = dueKeyOf({ ...row, userId: key }) ?? { kind: '', erasureKey: '' };
  const items = [
    { ...row, ...erasureKeyOf(key) },
    { ...row, ...erasureKeyOf(row.userId) },
    { ...due, userId: key },
  ];
  const TransactItems = items.map((Item) => ({ Put: { TableName, Item } }));
  await attacked.as(operation, application).dynamo.send(new TransactWriteCommand({ TransactItems }));
  return async () => {
    for (const Key of [erasureKeyOf(key), erasureKeyOf(row.userId), due]) await remove('Erasures', Key);
  };
}

test.each(writers)('%s: a state under another user’s key erases nobody, and under no hold', async (...writer) => {
  const [victim, other] = [randomUUID(), randomUUID()];
  await underHold(victim);
  const at = ago(3_600_000);
  await layEvidence(other, at);
  const forget = await plantUnder(writer, victim, stateOf(other, at, { begunAt: ago(60_000), pending: 'erasure' }));
  attacked.log.length = 0;
  await attacked
    .stage()
    .runSchedule('erase-accounts')
    .catch(() => null);
  await forget();
  expect(await read('Users', { userId: victim })).toHaveProperty('createdAt');
  expect(await read('LegalHolds', { userId: victim })).toBeDefined();
  expect(attacked.log.join()).toContain('NotAsked');
});

test.each(writers)('%s: nor does one release the records of a user under a hold', async (...writer) => {
  const [place, victim] = [randomUUID(), randomUUID()];
  await underHold(victim);
  const at = ago(3_600_000);
  await layEvidence(victim, at);
  const forget = await plantUnder(writer, place, stateOf(victim, at, { begunAt: at, erasedAt: at, retainUntil: at }));
  await travel(11);
  attacked.log.length = 0;
  await attacked
    .stage()
    .runSchedule('release-consents')
    .catch(() => null);
  await travel(0);
  await forget();
  const key = { userAgreement: `${victim}#marketing` };
  const records = await partition(attacked.owner().dynamo, attacked.table('ConsentRecords'), key);
  expect(records).toHaveLength(1);
  expect(records[0]).not.toHaveProperty('expiresAt');
  expect(attacked.log.join()).toContain('NotInTheLog');
});

/** The business rules' time, which functions read when they begin. */
async function travel(years: number) {
  const Item = { clockId: 'service', offsetMs: years * 366 * dayMs };
  await attacked.owner().dynamo.send(new PutCommand({ TableName: attacked.table('Clock'), Item }));
  const codeDir = attacked
    .stage()
    .model()
    .functions.find(({ operation }) => operation === 'release-consents')?.codeDir;
  attacked.stage().replaceCode('release-consents', codeDir ?? '');
}

test('a decision of the year 9999 takes back nothing that is asked later', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  await lay(attacked.as('restore-account'), `erasure-decisions/${userId}/${far}.json`, { decision: 'restored' });
  const { body: asked } = await call('DELETE', '/users/me');
  await attacked.stage().runSchedule('erase-accounts');
  expect(asked.requestedAt).toEqual(expect.any(String));
  expect((await call('GET', '/users/me/erasure')).body).toMatchObject({ requestedAt: asked.requestedAt });
  // The user's own decision still does.
  expect((await call('POST', '/users/me/restore')).status).toBe(200);
  expect((await call('GET', '/users/me/erasure')).body.status).toBe('none');
  expect((await call('DELETE', '/users/me')).body.requestedAt > asked.requestedAt).toBe(true);
});

test('a decision under the very millisecond of a request that is yet to come takes back nothing', async () => {
  const userId = randomUUID();
  const call = await attacked.caller(userId);
  await call('GET', '/users/me');
  // A request is later than `restoredAt`: who writes states can say of which millisecond the next one is.
  const soon = Date.now() + 40_000;
  const TableName = attacked.table('Erasures');
  const restoredAt = new Date(soon).toISOString();
  const Item = { ...erasureKeyOf(userId), ...nothing(userId), application: 'sleepcare', revision: 1, restoredAt };
  const attacker = attacked.as('restore-account');
  await attacker.dynamo.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName, Item } }] }));
  for (const ms of [1, 2, 3]) {
    const key = `erasure-decisions/${userId}/${new Date(soon + ms).toISOString()}.json`;
    await lay(attacker, key, { decision: 'restored' });
  }
  const { body: asked } = await call('DELETE', '/users/me');
  expect(Date.parse(asked.requestedAt)).toBe(soon + 4);
  await attacked.stage().runSchedule('erase-accounts');
  expect((await call('GET', '/users/me/erasure')).body).toMatchObject({ requestedAt: asked.requestedAt });
  // Nor does one of a closing keep the user from taking it back.
  expect((await call('POST', '/users/me/restore')).status).toBe(200);
  const later = new Date(soon + 60_000).toISOString();
  await lay(attacker, `erasure-decisions/${userId}/${later}.json`, { decision: 'closing' });
  expect((await call('DELETE', '/users/me')).status).toBe(200);
  expect((await call('POST', '/users/me/restore')).status).toBe(200);
});

test.each([far, ago(0)])(
  'a state in the log that says that a hold was lifted (%s) lifts none at a replay',
  async (at) => {
    const userId = randomUUID();
    await underHold(userId);
    const { kind: _kind, erasureKey: _key, ...held } = (await read('Erasures', erasureKeyOf(userId))) ?? {};
    const holdChangedAt = at === far ? far : new Date().toISOString();
    const planted = { ...(held as Erasure), revision: 99, legalHold: null, holdChangedAt };
    await lay(attacked.as('release-consents'), `erasures/${userId}/${logNameOf(planted)}.json`, planted);
    const place = replayPlace();
    const replay = async () => (await replayErasures(place)).toLift.includes(userId);
    // What is dated later than S3 was given it is nobody's word.
    const isNamed = at !== far;
    expect(await replay()).toBe(isNamed);
    expect(await read('LegalHolds', { userId })).toMatchObject({ reason: 'CASE-2026-17' });
    // A restore has forgotten it.
    await remove('LegalHolds', { userId });
    await remove('Erasures', erasureKeyOf(userId));
    expect(await replay()).toBe(isNamed);
    expect(await read('LegalHolds', { userId })).toMatchObject({ reason: 'CASE-2026-17' });
    // People look into it, and lift it by the route; which no replay undoes.
    const admin = await attacked.caller(randomUUID(), 'admin', 'medinfo');
    expect((await admin('DELETE', `/users/${userId}/legal-hold`)).body.legalHold).toBe(null);
    expect(await replay()).toBe(false);
    expect(await read('LegalHolds', { userId })).toBe(undefined);
  },
);

/** Each role that may put an object, at a place where it may. */
const putters = [
  ['request-erasure', 'erasure-requests/'],
  ['restore-account', 'erasure-decisions/'],
  ['erase-accounts', 'erasure-begun/'],
  ['set-legal-hold', 'erasures/'],
  ['release-consents', 'tombstones/'],
  ['write-checkpoint', 'ledger/'],
  ['watch-consent-records', 'ledger-changes/'],
  ['vouch-for-receipt-keys', 'receipt-keys/'],
] as const;

test.each(putters)(
  '%s puts no evidence that has an earlier date, that nobody can read, or that it can remove',
  async (operation, prefix) => {
    const { s3 } = attacked.as(operation, operation === 'set-legal-hold' ? 'medinfo' : 'sleepcare');
    const at = { Bucket: attacked.bucket(), Key: `${prefix}${randomUUID()}/x` };
    // S3 dates an object in parts by the beginning of its upload: it may begin today, and end when a grace is over.
    const begin = async (headers: Readonly<Record<string, string>>) => {
      const command = new CreateMultipartUploadCommand(at);
      command.middlewareStack.add(
        (next) => (args) => {
          Object.assign((args.request as { headers: object }).headers, headers);
          return next(args);
        },
        { step: 'build' },
      );
      await s3.send(command);
    };
    await expect(begin({})).rejects.toMatchObject(denied);
    await expect(begin({ 'if-none-match': '*' })).rejects.toMatchObject(denied);
    const part = { ...at, UploadId: 'x', PartNumber: 1, Body: 'x' };
    await expect(s3.send(new UploadPartCommand(part))).rejects.toMatchObject(denied);
    const put = (more: Partial<PutObjectCommandInput>) =>
      s3.send(new PutObjectCommand({ ...at, Body: 'x', IfNoneMatch: '*', ...more }));
    for (const StorageClass of ['DEEP_ARCHIVE', 'GLACIER', 'STANDARD_IA'] as const) {
      await expect(put({ StorageClass })).rejects.toMatchObject(denied);
    }
    const key = { SSECustomerAlgorithm: 'AES256', SSECustomerKey: 'k'.repeat(32) };
    await expect(put(key)).rejects.toMatchObject(denied);
    const soon = { ObjectLockMode: 'GOVERNANCE', ObjectLockRetainUntilDate: new Date(Date.now() + 60_000) } as const;
    await expect(put({ ...soon, ChecksumAlgorithm: 'SHA256' })).rejects.toMatchObject(denied);
    await expect(put({})).resolves.toBeDefined();
    const { Versions = [] } = await attacked
      .owner()
      .s3.send(new ListObjectVersionsCommand({ Bucket: at.Bucket, Prefix: at.Key }));
    for (const VersionId of [undefined, Versions[0]?.VersionId]) {
      await expect(s3.send(new DeleteObjectCommand({ ...at, VersionId }))).rejects.toMatchObject(denied);
    }
    expect(Versions).toHaveLength(1);
  },
);
