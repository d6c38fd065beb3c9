import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConsentRecord, stateOf } from '../../functions/consents/rules/record.ts';
import { checkpointKey, readCheckpoint } from '../../functions/ledger/rules/checkpoint.ts';
import { shownText } from '../../functions/ledger/rules/finding.ts';
import { leafOf } from '../../functions/ledger/rules/leaf.ts';
import { numberIn } from '../../lib/runtime/documents.ts';
import { readCompact } from '../../lib/runtime/jws.ts';
import { readObject } from '../../lib/runtime/objects.ts';
import { historyOf } from './histories.ts';
import { openStand, type Stand } from './stand.ts';

/** Rows that nothing of ours would write: each is found, and none of them keeps the rest from being checked. */

let stand: Stand;
const chain = historyOf(3);
const [, second, last] = chain as [ConsentRecord, ConsentRecord, ConsentRecord];
const other = historyOf(2);
const [altered] = other as [ConsentRecord];
const { userId, agreementId } = last;
const userAgreement = `${userId}#${agreementId}`;

beforeAll(async () => {
  stand = await openStand();
  await stand.load([chain, other]);
  await stand.checkpoint();
  // What is found of another user, whatever is planted here.
  await stand.putRow(`${altered.userId}#${altered.agreementId}`, { ...altered, locale: 'fr' });
});
afterAll(() => stand.close());

const ofOthers = [altered.userId, 'record-altered'];

async function found() {
  const { found } = await stand.verify();
  return found.map((finding) => [finding.userId, finding.kind]);
}

const big = NumberValue.from('100000000000000000000.5');
const unconvertible = { toString: 1, valueOf: 1 };

test.each<[string, string, object]>([
  ['an expiry that no Number is', 'record-expires', { ...second, expiresAt: big }],
  ['a number of 20 digits', 'record-malformed', { ...second, sequence: NumberValue.from('100000000000000000000') }],
  ['a number with a fraction', 'record-malformed', { ...second, sequence: big }],
  ['what is no text', 'record-malformed', { ...second, hash: unconvertible, sequence: unconvertible }],
  ['an id that is no text', 'record-malformed', { ...second, userId: unconvertible }],
  [
    'a number that only looks like the right one',
    'record-malformed',
    { ...second, sequence: NumberValue.from('2.00000000000000000001') },
  ],
])('a record with %s', async (_, kind, row) => {
  await stand.putRow(userAgreement, row);
  const all = await found();
  await stand.load([chain]);
  expect(all).toContainEqual([userId, kind]);
  expect(all).toContainEqual(ofOthers);
  expect(all.filter(([user]) => user !== userId)).toEqual([ofOthers]);
});

test.each([
  ['x'.repeat(1500), 'marketing'],
  ['', 'marketing'],
  ['x', ''],
  ['x', 'y'.repeat(1100)],
  ['x', 'y#z'],
  ['a\u0001/..', 'marketing'],
])('a row under a key that is no user’s and no agreement’s: %.8j, %.8j', async (user, agreement) => {
  const row = { userId: user, agreementId: agreement, recordedAt: last.recordedAt };
  await stand.putRow(`${user}#${agreement}`, row);
  const all = await found();
  await stand.drop([{ ...last, ...row }]);
  expect(all.toSorted()).toEqual([[user, 'row-planted'], ofOthers].toSorted());
});

test.each<[string, object]>([
  ['half a number', { sequence: 1.5 }],
  ['more records than anybody has', { sequence: Number.MAX_SAFE_INTEGER }],
  ['a number of 20 digits', { sequence: NumberValue.from('100000000000000000000') }],
  ['none', { sequence: 0 }],
  ['text', { sequence: '3' }],
  ['a hash that is none', { hash: 'x' }],
  ['what is no text', { hash: unconvertible, sequence: unconvertible }],
])('a pointer that says %s is in no checkpoint, which is signed all the same', async (_, said) => {
  await stand.putPointer({ ...stateOf(last), ...said });
  const { number, chains, unreadable } = await stand.checkpoint();
  expect({ chains, unreadable }).toEqual({ chains: 1, unreadable: 1 });
  const text = (await readObject(stand.evidence, checkpointKey(number)))?.toString('utf8') ?? '';
  expect(readCheckpoint(readCompact(text)?.payload ?? {})).toMatchObject({ number, chains: 1 });
  const all = await found();
  await stand.load([chain]);
  expect(all.map(([user]) => user)).toContain(userId);
  expect(all).toContainEqual(ofOthers);
  expect(all.map(([, kind]) => kind)).not.toContain('checkpoint-invalid');
  // After its repair nothing of it is left.
  expect(await stand.checkpoint()).toMatchObject({ chains: 2, unreadable: 0 });
  expect(await found()).toEqual([ofOthers]);
});

test('what somebody planted is one short line of a message', () => {
  expect(shownText('marketing\nchecked: nothing is wrong\u0001')).toBe('marketing?checked: nothing is wrong?');
  expect(shownText('x'.repeat(2000))).toHaveLength(64);
});

test('a leaf is two ids, a number of records and a hash', () => {
  const pointer = { userId: 'u', agreementId: 'a', sequence: 3, hash: last.hash };
  expect(leafOf(pointer)).toEqual({ userAgreement: 'u#a', sequence: 3, hash: last.hash });
  for (const wrong of [{ userId: 'u#x' }, { agreementId: 'a#b' }, { sequence: -1 }, { hash: last.hash.toUpperCase() }])
    expect(leafOf({ ...pointer, ...wrong })).toBe(null);
});

test.each([
  ['0', 0],
  ['-3', -3],
  ['1.5', 1.5],
  ['9007199254740991', 9_007_199_254_740_991],
  ['9007199254740992', '9007199254740992'],
  ['-100000000000000000000', '-100000000000000000000'],
  ['100000000000000000000.5', '100000000000000000000.5'],
  ['3.00000000000000000001', '3.00000000000000000001'],
])('%s is read as %j', (text, number) => {
  expect(numberIn(text)).toBe(number);
});
