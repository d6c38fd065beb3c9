import { randomUUID } from 'node:crypto';
import type { PublishCommand, SNSClient } from '@aws-sdk/client-sns';
import type { DynamoDBRecord } from 'aws-lambda';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { hashOf, stateOf } from '../../functions/consents/rules/record.ts';
import { begunKey, requestKey, tombstoneKey } from '../../functions/evidence/rules/evidence-keys.ts';
import { skewMs } from '../../functions/evidence/rules/row-change.ts';
import { type Watching, watchChanges } from '../../functions/ledger/workflows/watch-changes.ts';
import { watchedReceipts, watchedRecords } from '../../functions/ledger/workflows/watched-tables.ts';
import { readObject } from '../../lib/runtime/objects.ts';
import { historyOf } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** Which changes of the ledger are an alarm. */

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
  told.length = 0;
});
afterEach(() => stand.close());

const committed = Date.parse('2026-11-01T12:00:00.000Z');
const [record] = historyOf(1, null, 'marketing', { from: committed - 1000 }) as [ConsentRecord];
const row = { userAgreement: `${record.userId}#marketing`, ...record };
const byTimeToLive = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
const expiresAt = Date.parse('2026-11-08T00:00:00.000Z') / 1000;

function imageOf(item: object) {
  const attributeOf = (value: unknown) =>
    value === null
      ? { NULL: true }
      : typeof value === 'number'
        ? { N: String(value) }
        : typeof value === 'object'
          ? value
          : { S: String(value) };
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, attributeOf(value)]));
}

function change(before: object | null, after: object | null, userIdentity?: object): DynamoDBRecord {
  const dynamodb = {
    ApproximateCreationDateTime: committed / 1000,
    ...(before && { OldImage: imageOf(before) }),
    ...(after && { NewImage: imageOf(after) }),
  };
  return { eventID: 'event', dynamodb, ...(userIdentity && { userIdentity }) } as DynamoDBRecord;
}

/** What people were told. */
const told: string[] = [];
const tell = async (command: PublishCommand) => void told.push(command.input.Message ?? '');

async function watch(
  records: DynamoDBRecord[],
  options: Partial<Pick<Watching, 'movedClock' | 'isHeld' | 'besides'>> = {},
  watched = watchedRecords,
) {
  const suspicions: unknown[] = [];
  const objects: unknown[] = [];
  await watchChanges(records, watched, {
    evidence: stand.evidence,
    keys: () => stand.trust([stand.tombstoneKey.arn]),
    operatorKeys: async () => new Map(),
    movedClock: false,
    retentionYears: 10,
    graceMs: 7 * 86_400_000,
    isHeld: async () => false,
    now: () => new Date(committed),
    operators: { client: { send: tell } as unknown as SNSClient, topicArn: 'arn', environment: 'dev' },
    log: ({ suspicion, object }) => {
      suspicions.push(suspicion);
      objects.push(object);
    },
    ...options,
  });
  for (const key of objects) {
    if (key !== null) expect(await readObject(stand.evidence, String(key))).not.toBe(null);
  }
  return suspicions;
}

async function release(
  releasedAt = '2026-11-01T11:59:00.000Z',
  key = stand.tombstoneKey,
  askedAt = '2016-09-24T00:00:00.000Z',
) {
  const chains = [{ agreementId: 'marketing', records: 1, lastSequence: 1, lastHash: record.hash }];
  const recordsExpireAt = new Date(expiresAt * 1000).toISOString();
  const statement = { userId: record.userId, chains, releasedAt, recordsExpireAt };
  await stand.putEvidence(tombstoneKey(record.userId), await stand.sign(statement, 'ledger-tombstone+jwt', key));
  await stand.putEvidence(requestKey(record.userId, '2016-09-24T00:00:00.000Z'), '{}', Date.parse(askedAt));
  await stand.putEvidence(
    begunKey(record.userId, '2016-09-24T00:00:00.000Z'),
    '{}',
    Date.parse('2016-10-01T00:00:00.000Z'),
  );
}

test('a record that is appended is none', async () => {
  expect(await watch([change(null, row)])).toEqual([]);
});

test('a record that no pointer shows is one, unless its chain is released', async () => {
  const watched = (pointer: object | null, next: object | null = null) =>
    watch([change(null, row)], { besides: async () => ({ pointer, next }) as never });
  const pointer = stateOf(record);
  const later = { ...pointer, sequence: 2, hash: 'of another', recordedAt: '2026-11-01T12:00:01.000Z' };
  expect(await watched(pointer)).toEqual([]);
  expect(await watched(later, { previousHash: record.hash })).toEqual([]);
  // It was put before those that were there: none of them follows it.
  for (const next of [null, { previousHash: null }, { previousHash: 'of another' }])
    expect(await watched(later, next)).toEqual(['no-pointer']);
  const others = [null, { ...pointer, sequence: 0 }, { ...pointer, hash: 'of another' }];
  for (const other of others) expect(await watched(other)).toEqual(['no-pointer']);
  const imported = { ...historyOf(1, null, 'marketing', { source: 'imported' })[0] };
  const one = change(null, { userAgreement: `${imported.userId}#marketing`, ...imported });
  expect(await watch([one], { besides: async () => ({ pointer: null, next: null }) })).toEqual(['no-pointer']);
  await release('2026-11-01T11:59:59.500Z');
  expect(await watched(null)).toEqual([]);
  expect(await watched({ ...pointer, sequence: 0 })).toEqual(['no-pointer']);
});

test('nothing is recorded after the release of its chain', async () => {
  await release('2026-11-01T11:59:00.000Z');
  const besides = async () => ({ pointer: null, next: null });
  expect(await watch([change(null, row)], { besides })).toEqual(['no-pointer']);
  expect(await watch([change(null, row)], { besides, movedClock: true })).toEqual([]);
});

test('what else may not be', async () => {
  const [old] = historyOf(1) as [ConsentRecord];
  const imported = { ...historyOf(1, null, 'marketing', { source: 'imported' })[0] };
  const of = (one: Partial<ConsentRecord>) => ({ userAgreement: `${one.userId}#marketing`, ...one });
  const sealed = (one: Record<string, unknown>) => ({ ...one, hash: hashOf(one) });
  const { userAgreement, recordedAt } = row;
  const suspicious: [string, DynamoDBRecord][] = [
    ['changed', change(row, { ...row, action: 'revoked' })],
    ['changed', change(row, { ...row, locale: 'fr', expiresAt })],
    ['changed', change({ ...row, expiresAt }, row)],
    ['removed', change(row, null)],
    ['removed', change(row, null, { type: 'Service', principalId: 'other' })],
    ['expires-unreleased', change(row, { ...row, expiresAt })],
    ['expires-unreleased', change({ ...row, expiresAt }, null, byTimeToLive)],
    ['not-a-record', change(null, { userAgreement, recordedAt })],
    ['not-a-record', change(null, { ...row, expiresAt })],
    ['not-a-record', change(null, { ...row, locale: 'fr' })],
    // What the check would find a day later, although each of them has its hash.
    ['not-a-record', change(null, { ...record, userAgreement: `${randomUUID()}#marketing` })],
    ['not-a-record', change(null, { userAgreement, ...sealed({ ...record, sequence: 1.5 }) })],
    [
      'not-a-record',
      change(null, { userAgreement, ...sealed({ ...record, recordedAt: '2026-11-01T23:59:59+12:00' }) }),
    ],
    ['not-a-record', change(null, { userAgreement, ...sealed({ ...record, locale: { BOOL: true } }) })],
    ['backdated', change(null, of(old))],
    ['imported', change(null, of(imported))],
  ];
  expect(await watch(suspicious.map(([, record]) => record))).toEqual(suspicious.map(([suspicion]) => suspicion));
  // Once for a batch, and imports, of which there may be a hundred thousand, not at all.
  expect(told.map((text) => text.split('\n').slice(0, -2).length)).toEqual([suspicious.length - 1]);
  expect(told.join()).not.toContain(record.userId);
  expect(await watch([change(null, of(old))], { movedClock: true })).toEqual([]);
});

test('what is found while the alarm rings already reaches people, too', async () => {
  for (const _ of [1, 2]) await watch([change(row, null)]);
  expect(told).toHaveLength(2);
});

test('a record that a newer version wrote is none, and one of the future is', async () => {
  const sealed = (one: Record<string, unknown>) => ({ ...one, hash: hashOf(one) });
  const { userAgreement } = row;
  const newer = { userAgreement, ...sealed({ ...record, channel: 'web' }) };
  expect(await watch([change(null, newer)])).toEqual([]);
  const at = (ms: number) => new Date(committed + ms).toISOString();
  const within = { userAgreement, ...sealed({ ...record, recordedAt: at(skewMs) }) };
  const beyond = { userAgreement, ...sealed({ ...record, recordedAt: at(skewMs + 1) }) };
  expect(await watch([change(null, within), change(null, beyond)])).toEqual(['postdated']);
});

test('an expiry that a logged release has set, and what goes by it, are none', async () => {
  await release();
  const set = change(row, { ...row, expiresAt });
  expect(await watch([set, change({ ...row, expiresAt }, null, byTimeToLive)])).toEqual([]);
  expect(await watch([change(row, { ...row, expiresAt: expiresAt - 1 })])).toEqual(['expires-unreleased']);
});

test('under a legal hold no release is one', async () => {
  await release();
  const isHeld = async (userId: string) => userId === record.userId;
  const changes = [change(row, { ...row, expiresAt }), change({ ...row, expiresAt }, null, byTimeToLive)];
  expect(await watch(changes, { isHeld })).toEqual(['expires-under-hold', 'expires-under-hold']);
});

test('a release that is to come, and one of an erasure that is too young, bear nothing out', async () => {
  const set = change(row, { ...row, expiresAt });
  await release('2026-09-01T00:00:00.000Z');
  expect(await watch([set])).toEqual(['expires-unreleased']);
});

test('nor does one whose erasure began within the grace of its request, by S3', async () => {
  await release(undefined, undefined, '2016-09-24T00:00:01.000Z');
  expect(await watch([change(row, { ...row, expiresAt })])).toEqual(['expires-unreleased']);
});

test('nor does one that another key has signed', async () => {
  await release(undefined, stand.ledgerKey);
  expect(await watch([change(row, { ...row, expiresAt })])).toEqual(['expires-unreleased']);
});

test('a stored receipt is stored once, and whole, and goes when its record does', async () => {
  const { userAgreement, recordedAt } = row;
  const [userId, agreementId] = userAgreement.split('#');
  const jwsOf = (payload: object, typ = 'consent-receipt+jwt') =>
    [JSON.stringify({ alg: 'ES256', kid: 'k', typ }), JSON.stringify(payload), Buffer.alloc(64)]
      .map((part) => Buffer.from(part).toString('base64url'))
      .join('.');
  const claims = { jti: 'r', record: { userId, agreementId, recordedAt } };
  const receipt = { userAgreement, recordedAt, receiptId: 'r', issuedAt: recordedAt, receipt: jwsOf(claims) };
  const planted = (text: string) => change(null, { ...receipt, receipt: text });
  const expiring = { ...receipt, expiresAt };
  const set = change(receipt, expiring);
  const suspicious: [string, DynamoDBRecord][] = [
    ['changed', change(receipt, { ...receipt, receipt: 'z' })],
    ['changed', change(expiring, receipt)],
    ['removed', change(receipt, null)],
    ['expires-unreleased', set],
    ['expires-unreleased', change(expiring, null, byTimeToLive)],
    ['not-a-receipt', change(null, { userAgreement, recordedAt })],
    ['not-a-receipt', change(null, expiring)],
    ['not-a-receipt', planted('x.y.z')],
    ['not-a-receipt', planted(jwsOf(claims, 'ledger-tombstone+jwt'))],
    ['not-a-receipt', planted(jwsOf({ ...claims, jti: 'another' }))],
    ['not-a-receipt', planted(jwsOf({ jti: 'r' }))],
    // Neither has a text: whoever made one of it would throw, and the batch would come again for a day.
    ['not-a-receipt', planted(jwsOf({ ...claims, record: { userId: { toString: 1, valueOf: 1 } } }))],
    ['not-a-receipt', planted(jwsOf({ ...claims, record: { ...claims.record, userId: 'another' } }))],
    ['not-a-receipt', planted(jwsOf({ ...claims, record: { ...claims.record, recordedAt: '2026-01-01' } }))],
  ];
  const found = await watch(
    suspicious.map(([, one]) => one),
    {},
    watchedReceipts,
  );
  expect(found).toEqual(suspicious.map(([suspicion]) => suspicion));
  expect(told.join()).toContain('receipt-changes/');
  await release();
  const isHeld = async () => true;
  expect(await watch([set], { isHeld }, watchedReceipts)).toEqual(['expires-under-hold']);
  // A newer version may put more.
  const newer = change(null, { ...receipt, more: 1 });
  const fine = [change(null, receipt), newer, set, change(expiring, null, byTimeToLive)];
  expect(await watch(fine, {}, watchedReceipts)).toEqual([]);
});
