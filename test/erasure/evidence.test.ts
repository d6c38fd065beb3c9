import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Erasure, nothing } from '../../functions/erasure/rules/erasure.ts';
import { begunAtOf } from '../../functions/erasure/stores/erasure-evidence.ts';
import { checkEvidence } from '../../functions/erasure/workflows/check-evidence.ts';
import { evidenceIn, isTakenBackIn } from '../../functions/erasure/workflows/evidence.ts';
import { begunKey, requestKey } from '../../functions/ledger/rules/checkpoint.ts';
import { hashOfUser } from '../../lib/runtime/log.ts';
import { openStand, type Stand } from '../ledger/stand.ts';

/** What prod makes of the dated evidence, where no time machine is: S3's dates are all that counts. */

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const userId = 'user';
const requestedAt = '2026-03-01T12:00:00.000Z';
const request = { userId, requestedAt };
const days = (number: number) => new Date(Date.parse(requestedAt) + number * 86_400_000);
/** A row that says whatever suits who planted it. */
const row: Erasure = {
  ...nothing(userId),
  requestedAt,
  ...{ settledAt: requestedAt, signedOutAt: requestedAt, witnessedAt: requestedAt, graceEndsAt: requestedAt },
  ...{ closingAt: requestedAt, closedAt: requestedAt, accessEndsAt: requestedAt },
};
const at = (day: number) => evidenceIn(stand.evidence, 'prod', () => days(day));
const seenKey = `erasure-begun/${userId}/${requestedAt}.seen.json`;
const decisionKey = `erasure-decisions/${userId}/${requestedAt}.json`;
const lay = (key: string, day: number, body: object = {}) =>
  stand.putEvidence(key, JSON.stringify(body), days(day).getTime());
const takeBack = (day: number) => isTakenBackIn(stand.evidence, 'prod', request, days(day));

test('a request by itself, however old, begins no erasure: the grace counts from when it was first seen', async () => {
  await expect(at(30).isSeen(row)).rejects.toMatchObject({ name: 'NotAsked' });
  await lay(requestKey(userId, requestedAt), 0);
  expect([await at(30).isSeen(row), await at(30).isGraceOver(row), await at(30).isClosed(row)]).toEqual([
    false,
    false,
    false,
  ]);
  await lay(seenKey, 30);
  expect([await at(36.9).isGraceOver(row), await at(37).isGraceOver(row)]).toEqual([false, true]);
  // Nor does the row’s word that it was closed.
  expect(await at(60).isClosed(row)).toBe(false);
  await lay(decisionKey, 37, { decision: 'closing' });
  expect([await at(37).isClosed(row), await at(37.1).isClosed(row)]).toEqual([false, true]);
});

describe('taking back', () => {
  beforeEach(() => lay(requestKey(userId, requestedAt), 0));

  test('goes until seven days after it was seen, whatever the row says', async () => {
    await lay(seenKey, 1);
    expect(await takeBack(8)).toBe(false);
    expect(await takeBack(7.9)).toBe(true);
    // Decided: a repetition says the same, and nobody closes any more.
    expect(await takeBack(20)).toBe(true);
    expect(await at(20).isClosing(row)).toBe(false);
    expect(await at(20).isTakenBack(row)).toBe(true);
  });

  test('goes where nobody saw the request', async () => {
    expect(await takeBack(20)).toBe(true);
  });

  test('does not go when closing was first; and a closing in the grace, which nobody may decide, counts for nothing', async () => {
    await lay(seenKey, 0);
    await lay(decisionKey, 7, { decision: 'closing' });
    expect(await takeBack(3)).toBe(false);
    expect(await at(8).isClosing(row)).toBe(true);
    await stand.close();
    stand = await openStand();
    await lay(requestKey(userId, requestedAt), 0);
    await lay(seenKey, 0);
    await lay(decisionKey, 3, { decision: 'closing' });
    expect(await takeBack(4)).toBe(true);
    await expect(at(8).isClosing(row)).rejects.toMatchObject({ name: 'NotAsked' });
    expect(await at(9).isClosed(row)).toBe(false);
  });
});

test('an erasure that began within the grace of its request, or that nobody asked for, demands no tombstone', async () => {
  const grace = 7 * 86_400_000;
  await lay(begunKey(userId, requestedAt), 6.9);
  expect(await begunAtOf(stand.evidence, userId, grace)).toBe(null);
  await lay(requestKey(userId, requestedAt), 0);
  expect(await begunAtOf(stand.evidence, userId, grace)).toBe(null);
  expect(await begunAtOf(stand.evidence, userId, 6 * 86_400_000)).toEqual(days(6.9));
});

test('the check reads both lists in their order, and asks of what is overdue whether it was taken back or is held', async () => {
  const keyOf = (user: string, kind?: string) =>
    kind ? `erasure-begun/${user}/${requestedAt}.${kind}.json` : requestKey(user, requestedAt);
  for (const user of ['a', 'a-b', 'back', 'held', 'late']) await lay(keyOf(user), 0);
  for (const user of ['a', 'a-b', 'back', 'held', 'late', 'unasked']) await lay(keyOf(user, 'seen'), 0);
  for (const user of ['a', 'a-b', 'unasked']) {
    await lay(keyOf(user, 'begun'), 8);
    await lay(keyOf(user, 'erased'), 8);
  }
  await lay(`erasure-decisions/back/${requestedAt}.json`, 2, { decision: 'restored' });
  const checked = await checkEvidence({
    bucket: stand.evidence,
    isHeld: async (user) => user === 'held',
    graceMs: 7 * 86_400_000,
    dueMs: 7 * 86_400_000,
    now: days(10),
    goOn: () => undefined,
  });
  expect(checked).toMatchObject({ requests: 6, held: 1 });
  expect(checked.findings.map((one) => one.split(':')[0]).toSorted()).toEqual(['erased-unasked', 'overdue']);
});

test('what lies beside a request under a name of its own does not put off when that is due', async () => {
  const key = requestKey(userId, requestedAt);
  await lay(key, 0);
  await lay(seenKey, 0);
  for (const name of ['.zz', '.json', 'Z', '/Z']) await lay(key.replace(/\.json$/, `${name}.json`), 9);
  const { findings } = await checkEvidence({
    bucket: stand.evidence,
    isHeld: async () => false,
    graceMs: 7 * 86_400_000,
    dueMs: 7 * 86_400_000,
    now: days(10),
    goOn: () => undefined,
  });
  expect(findings).toEqual([`overdue: user ${hashOfUser(userId)}, request of ${requestedAt}`]);
});
