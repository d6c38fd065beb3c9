import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, test } from 'vitest';
import type { ConsentRecord } from '../../functions/access/consent-states.ts';
import { stateOf } from '../../functions/consents/rules/record.ts';
import { shownText } from '../../functions/evidence/rules/row-change.ts';
import { checkpointKey, readCheckpoint } from '../../functions/ledger/rules/checkpoint.ts';
import { leafOf } from '../../functions/ledger/rules/leaf.ts';
import { numberIn } from '../../lib/runtime/documents.ts';
import { readCompact } from '../../lib/runtime/jws.ts';
import { readObject } from '../../lib/runtime/objects.ts';
import { historyOf } from './histories.ts';
import { openStand } from './stand.ts';

/** Rows that nothing of ours would write: each is found, and none of them keeps the rest from being checked. */

const stand = await openStand();
afterAll(() => stand.close());

const big = NumberValue.from('100000000000000000000.5');
const unconvertible = { toString: 1, valueOf: 1 };
const nameOf = ({ userId, agreementId }: ConsentRecord) => `${userId}#${agreementId}`;

async function found() {
  const { found } = await stand.verify();
  return found.map(({ userId, kind }) => ({ userId, kind }));
}

test('records of which one has what nobody can read, and rows under keys of nobody', async () => {
  const said: [kind: string, object][] = [
    ['record-altered', { locale: 'fr' }],
    ['record-expires', { expiresAt: big }],
    ['record-malformed', { sequence: NumberValue.from('100000000000000000000') }],
    ['record-malformed', { sequence: big }],
    ['record-malformed', { sequence: NumberValue.from('2.00000000000000000001') }],
    ['record-malformed', { hash: unconvertible, sequence: unconvertible }],
    ['record-malformed', { userId: unconvertible }],
  ];
  const chains = said.map(([kind, more]) => ({ kind, more, chain: historyOf(3) as [ConsentRecord, ConsentRecord] }));
  await stand.load([...chains.map(({ chain }) => chain), historyOf(2)]);
  await stand.checkpoint();
  for (const { chain, more } of chains) await stand.putRow(nameOf(chain[0]), { ...chain[1], ...more });
  const keys = [
    ['x'.repeat(1500), 'marketing'],
    ['', 'marketing'],
    ['x', ''],
    ['x', 'y'.repeat(1100)],
    ['x', 'y#z'],
    ['a\u0001/..', 'marketing'],
  ] as const;
  const recordedAt = '2026-01-01T08:00:00.000Z';
  for (const [user, agreement] of keys) await stand.putRow(`${user}#${agreement}`, { recordedAt, expiresAt: 4e9 });
  const all = await found();
  for (const { kind, chain } of chains) expect(all).toContainEqual({ userId: chain[0].userId, kind });
  for (const [userId] of keys) expect(all).toContainEqual({ userId, kind: 'row-planted' });
  // Nothing is said of anybody else.
  const users = new Set([...chains.map(({ chain }) => chain[0].userId), ...keys.map(([userId]) => userId)]);
  expect(new Set(all.map(({ userId }) => userId))).toEqual(users);
  await stand.load(chains.map(({ chain }) => chain));
  await stand.drop(
    keys.map(([userId, agreementId]) => ({ ...chains[0]?.chain[0], userId, agreementId, recordedAt }) as ConsentRecord),
  );
  expect(await found()).toEqual([]);
});

const hash = 'a'.repeat(64);
const unreadable: object[] = [
  { sequence: 1.5 },
  { sequence: 0 },
  { sequence: -1 },
  { sequence: Number.MAX_SAFE_INTEGER },
  { sequence: '3' },
  { sequence: unconvertible },
  { hash: 'x' },
  { hash: hash.toUpperCase() },
  { hash: unconvertible },
  { userId: 'u#x' },
  { agreementId: 'a#b' },
];

test.each(unreadable)('a pointer that says %j is no leaf', (said) => {
  const pointer = { userId: 'u', agreementId: 'a', sequence: 3, hash };
  expect(leafOf(pointer)).toEqual({ userAgreement: 'u#a', sequence: 3, hash });
  expect(leafOf({ ...pointer, ...said })).toBe(null);
});

test('pointers that say what none can are in no checkpoint, which is signed all the same', async () => {
  const sequences = [1.5, Number.MAX_SAFE_INTEGER, NumberValue.from('100000000000000000000'), unconvertible];
  const chains = sequences.map(() => historyOf(3) as [ConsentRecord, ConsentRecord, ConsentRecord]);
  await stand.load(chains);
  const { chains: before } = await stand.checkpoint();
  for (const [index, [, , last]] of chains.entries())
    await stand.putPointer({ ...stateOf(last), sequence: sequences[index] });
  const { number, ...written } = await stand.checkpoint();
  expect(written).toMatchObject({ chains: before - 4, unreadable: 4 });
  expect(stand.log).toEqual([expect.objectContaining({ unreadable: 4 })]);
  const text = (await readObject(stand.evidence, checkpointKey(number)))?.toString('utf8') ?? '';
  expect(readCheckpoint(readCompact(text)?.payload ?? {})).toMatchObject({ number });
  const all = await found();
  expect(new Set(all.map(({ userId }) => userId))).toEqual(new Set(chains.map(([{ userId }]) => userId)));
  await stand.load(chains);
  // After their repair nothing of it is left.
  expect(await stand.checkpoint()).toMatchObject({ number: number + 1, chains: before, unreadable: 0 });
  expect(await found()).toEqual([]);
});

test('what somebody planted is one short line of a message', () => {
  expect(shownText('marketing\nchecked: nothing is wrong\u0001')).toBe('marketing?checked: nothing is wrong?');
  expect(shownText('x'.repeat(2000))).toHaveLength(64);
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
