import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { stateOf } from '../../functions/consents/rules/record.ts';
import { historyOf, rewritten } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** What somebody with full write access does to a clean ledger, and what the check then says. */

let stand: Stand;
const chain = historyOf(5);
const [first, second, third, fourth, last] = chain as [
  ConsentRecord,
  ConsentRecord,
  ConsentRecord,
  ConsentRecord,
  ConsentRecord,
];
const { userId, agreementId } = first;
const userAgreement = `${userId}#${agreementId}`;
const bystanders = Array.from({ length: 20 }, (_, index) => historyOf(1 + (index % 4)));

beforeAll(async () => {
  stand = await openStand();
  await stand.load([chain, ...bystanders]);
  await stand.checkpoint();
});
afterAll(() => stand.close());

/** Does it, checks, and puts the ledger back as it was. */
async function afterwards(mutate: () => Promise<unknown>) {
  await mutate();
  const verdict = await stand.verify();
  await stand.load([chain]);
  return verdict;
}

test('a clean ledger is clean, and the check says what it covers', async () => {
  const { records, chains, pointers, found, newest, checkpoints } = await stand.verify();
  expect(found).toEqual([]);
  const all = [chain, ...bystanders];
  expect({ records, chains, pointers }).toEqual({ records: all.flat().length, chains: 21, pointers: 21 });
  expect({ checkpoints, at: newest?.at }).toEqual({ checkpoints: 1, at: '2026-11-01T01:00:00.000Z' });
});

test('an altered field', async () => {
  const { found } = await afterwards(() => stand.putRow(userAgreement, { ...third, versionId: 'marketing-9.9' }));
  const { recordedAt, sequence } = third;
  expect(found).toEqual([
    { kind: 'record-altered', userId, agreementId, recordedAt, sequence, says: expect.stringContaining(third.hash) },
  ]);
});

test('a field more than the hash covers', async () => {
  const { kinds } = await afterwards(() => stand.putRow(userAgreement, { ...third, note: 'x' }));
  expect(kinds).toEqual(['record-altered']);
});

test('an altered field with a new hash: the link of the next record breaks', async () => {
  const forged = rewritten(chain, 2, { versionId: 'marketing-9.9' })[2] as ConsentRecord;
  const { kinds } = await afterwards(() => stand.putRow(userAgreement, forged));
  expect(kinds).toEqual(['link-broken']);
});

test('a record dropped from the middle', async () => {
  const { found } = await afterwards(() => stand.drop([third]));
  expect(found).toMatchObject([{ kind: 'record-missing', userId, agreementId, sequence: 3 }]);
});

test('the first record dropped', async () => {
  const { found } = await afterwards(() => stand.drop([first]));
  expect(found).toMatchObject([{ kind: 'record-missing', userId, agreementId, sequence: 1 }]);
});

test('the last record dropped', async () => {
  const { found } = await afterwards(() => stand.drop([last]));
  expect(found).toMatchObject([
    { kind: 'pointer-ahead', userId, agreementId, sequence: 4 },
    { kind: 'anchored-record-missing', userId, agreementId, sequence: 5 },
  ]);
});

test('the last record dropped and the pointer set back', async () => {
  const { found } = await afterwards(async () => {
    await stand.drop([last]);
    await stand.putPointer(stateOf(fourth));
  });
  expect(found).toMatchObject([{ kind: 'anchored-record-missing', userId, agreementId, sequence: 5 }]);
});

test('a whole chain dropped, and its pointer', async () => {
  const { found } = await afterwards(async () => {
    await stand.drop(chain);
    await stand.dropPointer(last);
  });
  expect(found).toMatchObject([{ kind: 'anchored-record-missing', userId, agreementId, sequence: 5 }]);
});

test('two records swapped', async () => {
  const { kinds, found } = await afterwards(async () => {
    await stand.putRow(userAgreement, { ...third, recordedAt: second.recordedAt });
    await stand.putRow(userAgreement, { ...second, recordedAt: third.recordedAt });
  });
  expect(kinds).toEqual(['record-altered', 'record-missing', 'record-out-of-order']);
  expect(found.every((one) => one.userId === userId)).toBe(true);
});

test('two users’ records swapped', async () => {
  const [other = []] = bystanders.slice(3);
  const theirs = other[2] as ConsentRecord;
  const { kinds, found } = await afterwards(async () => {
    await stand.drop([third, theirs]);
    await stand.putRow(userAgreement, theirs);
    await stand.putRow(`${theirs.userId}#${theirs.agreementId}`, third);
  });
  await stand.drop([{ ...third, userId: theirs.userId }]);
  await stand.load([other]);
  expect(kinds).toContain('record-misplaced');
  expect(new Set(found.map((one) => one.userId))).toEqual(new Set([userId, theirs.userId]));
});

test('a pointer that lags', async () => {
  const { found } = await afterwards(() => stand.putPointer(stateOf(fourth)));
  expect(found).toMatchObject([{ kind: 'pointer-lags', userId, agreementId, sequence: 5 }]);
});

test('a pointer that says another thing of the right record', async () => {
  const { found } = await afterwards(() => stand.putPointer({ ...stateOf(last), action: 'revoked' }));
  expect(found).toMatchObject([{ kind: 'pointer-differs', sequence: 5, says: expect.stringContaining('action') }]);
});

test('a pointer that is gone', async () => {
  const { kinds } = await afterwards(() => stand.dropPointer(last));
  expect(kinds).toEqual(['pointer-missing']);
});

test('a pointer without a chain', async () => {
  const stranger = historyOf(1)[0] as ConsentRecord;
  const { found } = await afterwards(() => stand.putPointer(stateOf(stranger)));
  await stand.dropPointer(stranger);
  expect(found).toMatchObject([{ kind: 'pointer-ahead', userId: stranger.userId }]);
});

test('a record that is about to expire', async () => {
  const { kinds } = await afterwards(() => stand.putRow(userAgreement, { ...third, expiresAt: 1_800_000_000 }));
  expect(kinds).toEqual(['record-expires']);
});

test('a row that is no record', async () => {
  const row = { recordedAt: '2026-01-01T08:02:30.000Z', sequence: 'three' };
  const { kinds } = await afterwards(() => stand.putRow(userAgreement, row));
  await stand.drop([{ ...third, recordedAt: row.recordedAt }]);
  expect(kinds).toContain('record-malformed');
});

test('a forger who recomputes every hash and pointer, of what precedes the last checkpoint', async () => {
  const forged = rewritten(chain, 1, { action: 'agreed' });
  const { found } = await afterwards(() => stand.load([forged]));
  const says = expect.stringContaining(last.hash);
  expect(found).toMatchObject([{ kind: 'anchored-record-differs', userId, agreementId, sequence: 5, says }]);
});

test('the same without a checkpoint passes: that is why there are some', async () => {
  await stand.load([rewritten(chain, 1, { action: 'agreed' })]);
  const { found, newest } = await stand.verify({ withoutCheckpoint: true });
  await stand.load([chain]);
  expect({ found, newest }).toEqual({ found: [], newest: null });
});
