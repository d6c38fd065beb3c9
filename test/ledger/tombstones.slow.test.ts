import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { stateOf } from '../../functions/consents/rules/record.ts';
import { begunKey, requestKey, tombstoneKey } from '../../functions/evidence/rules/evidence-keys.ts';
import { digestOf } from '../../functions/ledger/rules/checkpoint.ts';
import { afterErasure } from '../../functions/ledger/rules/tombstone.ts';
import { historyOf, rewritten } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** An erased user's chains may be gone: a signed tombstone says so, and nothing else does. */

let stand: Stand;
const chain = historyOf(4);
const [first, second, third, last] = chain as [ConsentRecord, ConsentRecord, ConsentRecord, ConsentRecord];
const { userId, agreementId } = last;

beforeEach(async () => {
  stand = await openStand();
  await stand.load([chain, historyOf(2)]);
  await stand.checkpoint();
});
afterEach(() => stand.close());

const ending = { agreementId, records: 4, lastSequence: 4, lastHash: last.hash };
const statement = {
  userId,
  chains: [ending],
  erasedAt: '2016-01-01T00:00:00.000Z',
  releasedAt: '2026-01-01T00:00:00.000Z',
};

async function bury(
  change: object = {},
  typ: 'ledger-tombstone+jwt' | 'ledger-checkpoint+jwt' = 'ledger-tombstone+jwt',
  key = stand.tombstoneKey,
) {
  await stand.putEvidence(requestKey(userId, '2015-01-01T00:00:00.000Z'), '{}', Date.parse('2015-12-24T23:00:00.000Z'));
  await stand.putEvidence(begunKey(userId, '2015-01-01T00:00:00.000Z'), '{}', Date.parse('2015-12-31T23:00:00.000Z'));
  await stand.putEvidence(tombstoneKey(userId), await stand.sign({ ...statement, ...change }, typ, key));
}

async function vanish() {
  await stand.drop(chain);
  await stand.dropPointer(last);
}

test('a chain that is gone with its pointer', async () => {
  await vanish();
  expect((await stand.verify()).kinds).toEqual(['anchored-record-missing']);
  await bury();
  expect((await stand.verify()).found).toEqual([]);
});

test('one that goes record by record, in no order, with its pointer or without', async () => {
  await bury();
  await stand.putRow(`${userId}#${agreementId}`, { ...second, expiresAt: 1_700_000_000 });
  expect((await stand.verify()).found).toEqual([]);
  await stand.drop([first, third]);
  expect((await stand.verify()).found).toEqual([]);
  await stand.drop([last]);
  expect((await stand.verify()).found).toEqual([]);
  await stand.dropPointer(last);
  expect((await stand.verify()).found).toEqual([]);
});

describe('does not cover', () => {
  test('what is under a legal hold', async () => {
    await bury();
    const isHeld = async (held: string) => held === userId;
    expect((await stand.verify({ isHeld })).found).toEqual([]);
    await vanish();
    expect((await stand.verify({ isHeld })).kinds).toEqual(['anchored-record-missing', 'tombstone-contradicted']);
  });

  test('what is still there and was altered', async () => {
    await bury();
    await stand.drop([first]);
    await stand.putRow(`${userId}#${agreementId}`, { ...second, locale: 'fr' });
    expect((await stand.verify()).kinds).toEqual(['record-altered']);
  });

  test('a chain that ends in another way than it says', async () => {
    await bury();
    await stand.load([rewritten(chain, 3, { locale: 'fr' })]);
    expect((await stand.verify()).kinds).toEqual(['anchored-record-differs', 'tombstone-contradicted']);
  });

  test('a pointer to anything but the end', async () => {
    await bury();
    await stand.drop(chain);
    await stand.putPointer(stateOf(second));
    expect((await stand.verify()).kinds).toEqual(['tombstone-contradicted']);
  });

  test.each([
    ['another user', { userId: 'somebody-else' }],
    ['another agreement', { chains: [{ ...ending, agreementId: 'research-data' }] }],
    ['a release to come', { releasedAt: '2999-01-01T00:00:00.000Z' }],
    ['no release', { releasedAt: null }],
  ])('a chain when it is about %s', async (_, change) => {
    await bury(change);
    await vanish();
    expect((await stand.verify()).kinds).toEqual(['anchored-record-missing']);
  });

  test('anything when another key has signed it, be it that of the checkpoints', async () => {
    await bury({}, 'ledger-tombstone+jwt', stand.foreignKey);
    await vanish();
    expect((await stand.verify()).kinds).toEqual(['anchored-record-missing']);
    const { s3, bucket } = stand.evidence;
    const Body = await stand.sign(statement, 'ledger-tombstone+jwt', stand.ledgerKey);
    await s3.send(new PutObjectCommand({ Bucket: bucket, Key: tombstoneKey(userId), Body }));
    expect((await stand.verify()).kinds).toEqual(['anchored-record-missing']);
  });

  test('anything when it was signed as something else', async () => {
    await bury({}, 'ledger-checkpoint+jwt');
    await vanish();
    expect((await stand.verify()).kinds).toEqual(['anchored-record-missing']);
  });
});

describe('a tombstone whose erasure', () => {
  test.each([
    ['never began', null],
    ['began nine years before', Date.parse('2017-01-01T00:00:00.000Z')],
    ['began after it', Date.now()],
  ])('%s excuses nothing, also not a chain of the first checkpoint', async (_, storedAt) => {
    const stone = await stand.sign(statement, 'ledger-tombstone+jwt', stand.tombstoneKey);
    await stand.putEvidence(tombstoneKey(userId), stone);
    await stand.putEvidence(
      requestKey(userId, '2015-01-01T00:00:00.000Z'),
      '{}',
      Date.parse('2015-01-01T00:00:00.000Z'),
    );
    if (storedAt !== null) await stand.putEvidence(begunKey(userId, '2015-01-01T00:00:00.000Z'), '{}', storedAt);
    await vanish();
    expect((await stand.verify()).kinds).toEqual(['anchored-record-missing', 'tombstone-contradicted']);
  });

  test.each([
    ['nobody asked for', null],
    ['began a second before the grace after its request', Date.parse('2015-12-24T23:00:01.000Z')],
  ])('%s excuses nothing, by S3', async (_, askedAt) => {
    const stone = await stand.sign(statement, 'ledger-tombstone+jwt', stand.tombstoneKey);
    await stand.putEvidence(tombstoneKey(userId), stone);
    if (askedAt !== null) await stand.putEvidence(requestKey(userId, '2015-01-01T00:00:00.000Z'), '{}', askedAt);
    await stand.putEvidence(begunKey(userId, '2015-01-01T00:00:00.000Z'), '{}', Date.parse('2015-12-31T23:00:00.000Z'));
    await vanish();
    const { kinds } = await stand.verify({ graceMs: 7 * 86_400_000 });
    expect(kinds).toEqual(['anchored-record-missing', 'tombstone-contradicted']);
  });

  test('nobody demanded counts for nothing once an operator says so, and what no operator signed says nothing', async () => {
    const stone = await stand.sign(statement, 'ledger-tombstone+jwt', stand.tombstoneKey);
    await stand.putEvidence(tombstoneKey(userId), stone);
    await vanish();
    const forged = await stand.sign({ userId, tombstone: digestOf(stone) }, 'tombstone-revocation+jwt');
    await stand.putEvidence(`tombstone-revocations/${userId}/x.jws`, forged);
    expect((await stand.verify()).kinds).toEqual(['anchored-record-missing', 'tombstone-contradicted']);
    await stand.revokeTombstone(userId, digestOf(stone));
    expect((await stand.verify()).kinds).toEqual(['anchored-record-missing']);
    await expect(stand.revokeTombstone(userId, digestOf(stone))).rejects.toThrow('already');
    await expect(stand.revokeTombstone(userId, digestOf('x'))).rejects.toThrow('no such tombstone');
  });

  test('began in time: what was laid first counts', async () => {
    await bury();
    await stand.putEvidence(begunKey(userId, '2025'), '{}');
    await vanish();
    expect((await stand.verify()).found).toEqual([]);
  });
});

describe('a release before its time', () => {
  const ended = { agreementId: 'a', lastSequence: 4, lastHash: last.hash };
  const anchor = { userAgreement: 'u#a', sequence: 4, hash: last.hash, checkpoint: 2 };

  test.each([
    ['ten years after the last change', '2036-11-02T00:00:00.000Z', 10, false],
    ['within what a checkpoint may be late by', '2036-10-31T02:00:00.000Z', 10, false],
    ['nine years after it', '2035-11-02T00:00:00.000Z', 10, true],
    ['a day after it', '2026-11-03T00:00:00.000Z', 10, true],
    ['two days after it, where the time machine was used', '2026-11-03T00:00:00.000Z', 0, false],
  ])('%s', (_, releasedAt, retentionYears, isContradicted) => {
    const anchors = [anchor, { ...anchor, since: '2026-11-01T01:00:00.000Z' }];
    const rest = { records: [], pointer: null, anchors, retentionYears };
    const kinds = afterErasure(
      'u#a',
      { ...ended, releasedAt, recordsExpireAt: null, demandedAt: '2015-01-01T00:00:00.000Z' },
      [],
      rest,
    ).map(({ kind }) => kind);
    expect(kinds).toEqual(isContradicted ? ['tombstone-contradicted'] : []);
  });

  test('is reported by what any checkpoint added, whoever signed the tombstone, and is excused from nothing', async () => {
    const grown = historyOf(5, userId);
    const end = grown.at(-1) as ConsentRecord;
    await stand.drop(chain);
    await stand.load([grown]);
    // The first one has another chain of that name; the second and the third say that it changed, and stays.
    await stand.checkpoint();
    await stand.checkpoint();
    await bury({ chains: [{ ...ending, lastSequence: 5, lastHash: end.hash }] });
    await stand.drop(grown);
    await stand.dropPointer(end);
    const { found } = await stand.verify();
    expect(found.filter(({ kind }) => kind === 'tombstone-contradicted')).toMatchObject([{ userId, agreementId }]);
    expect(found.map(({ kind }) => kind)).toContain('anchored-record-missing');
    expect((await stand.verify({ retentionYears: 0 })).kinds).toContain('tombstone-contradicted');
  });
});
