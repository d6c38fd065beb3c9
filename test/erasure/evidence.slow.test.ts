import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nothing } from '../../functions/erasure/rules/erasure.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { begunAtOf, readsAtATime, undecidedFrom } from '../../functions/erasure/stores/erasure-evidence.ts';
import { type Checking, checkEvidence } from '../../functions/erasure/workflows/check-evidence.ts';
import { areTakenBackIn, evidenceIn, laidOf } from '../../functions/erasure/workflows/evidence.ts';
import { begunKey, requestKey } from '../../functions/evidence/rules/evidence-keys.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { hashOfUser } from '../../lib/runtime/log.ts';
import { mapWithConcurrency } from '../../lib/runtime/map-with-concurrency.ts';
import { openStand, type Stand } from '../ledger/stand.ts';

/** The evidence in prod, where no time machine is: only S3's dates count. */

let stand: Stand;
beforeEach(async () => {
  stand = await openStand();
});
afterEach(() => stand.close());

const userId = 'user';
const requestedAt = '2026-03-01T12:00:00.000Z';
const request = { userId, requestedAt };
const days = (number: number) => new Date(Date.parse(requestedAt) + number * 86_400_000);
/** A planted row with content that suits the attacker. */
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
const takeBack = async (day: number, of: typeof request | null = request, environment: Environment = 'prod') => {
  const laid = await laidOf(stand.evidence, userId);
  return areTakenBackIn(stand.evidence, environment, { userId, request: of, laid, businessNow: days(day) });
};

test('a request by itself, however old, begins no erasure: the grace period counts from when it was first seen', async () => {
  await expect(at(30).isSeen(row)).rejects.toMatchObject({ name: 'NotAsked' });
  await lay(requestKey(userId, requestedAt), 0);
  expect([await at(30).isSeen(row), await at(30).isGraceOver(row), await at(30).isClosed(row)]).toEqual([
    false,
    false,
    false,
  ]);
  await lay(seenKey, 30);
  // A minute later by the run's own clock: S3 may date the decision earlier.
  const minute = 1 / 1440;
  const isOver = [37, 37 + 0.9 * minute, 37 + minute].map((day) => at(day).isGraceOver(row));
  expect(await Promise.all(isOver)).toEqual([false, false, true]);
  // Nor does a row that says that it was closed.
  expect(await at(60).isClosed(row)).toBe(false);
  await lay(decisionKey, 37, { decision: 'closing' });
  expect([await at(37).isClosed(row), await at(37.1).isClosed(row)]).toEqual([false, true]);
});

describe('a restoration', () => {
  beforeEach(() => lay(requestKey(userId, requestedAt), 0));

  test('is possible until seven days after the request was seen, whatever the row says', async () => {
    await lay(seenKey, 1);
    expect(await takeBack(8)).toBe(false);
    expect(await takeBack(7.9)).toBe(true);
    // Decided: a repetition gives the same answer, and no run closes the account.
    expect(await takeBack(20)).toBe(true);
    expect(await at(20).isClosing(row)).toBe(false);
    expect(await at(20).isTakenBack(row)).toBe(true);
  });

  test('is possible if nobody saw the request', async () => {
    expect(await takeBack(20)).toBe(true);
  });

  test('is refused if the closing was first; a closing within the grace is not allowed, and does not count', async () => {
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

/** The bucket, with counts of its calls: in total, and at once. */
function counted() {
  const { s3, bucket } = stand.evidence;
  const figures = { calls: 0, atOnce: 0 };
  let open = 0;
  const counting = new Proxy(s3, {
    get: (client, name) =>
      name !== 'send'
        ? Reflect.get(client, name)
        : async (command: Parameters<typeof client.send>[0]) => {
            figures.calls += 1;
            open += 1;
            figures.atOnce = Math.max(figures.atOnce, open);
            try {
              return await client.send(command);
            } finally {
              open -= 1;
            }
          },
  });
  return { evidence: { s3: counting, bucket }, figures };
}

describe('a hundred objects', () => {
  const times = Array.from({ length: 100 }, (_, ms) => new Date(Date.parse(requestedAt) + ms).toISOString());
  const decisionOf = (time: string) => `erasure-decisions/${userId}/${time}.json`;
  const all = (kind: (time: string) => string, body: object = {}) =>
    Promise.all(times.map((time) => stand.putEvidence(kind(time), JSON.stringify(body))));

  test('decisions without a request are not read', async () => {
    await lay(requestKey(userId, requestedAt), 0);
    await all(decisionOf, { decision: 'restored' });
    const { evidence, figures } = counted();
    expect(await evidenceIn(evidence, 'prod', () => days(1)).isTakenBack(row)).toBe(true);
    expect((await laidOf(evidence, userId)).decisions.size).toBe(1);
    expect(figures.calls).toBeLessThan(10);
  });

  test('requests and decisions are read only as many at once as a client has room for', async () => {
    await all((time) => requestKey(userId, time));
    await all(decisionOf, { decision: 'restored' });
    const { evidence, figures } = counted();
    const laid = await laidOf(evidence, userId);
    expect([laid.asked.size, laid.decisions.size]).toEqual([100, 100]);
    expect(figures.atOnce).toBeLessThanOrEqual(readsAtATime);
  });

  test('requests without a decision are all taken back, a few at a time', async () => {
    await all((time) => requestKey(userId, time));
    const { evidence, figures } = counted();
    const laid = await laidOf(evidence, userId);
    expect(await areTakenBackIn(evidence, 'prod', { userId, request, laid, businessNow: days(1) })).toBe(true);
    expect(figures.atOnce).toBeLessThanOrEqual(readsAtATime);
    expect((await laidOf(evidence, userId)).decisions.size).toBe(100);
  });

  test('decisions without a request are not taken for requests', async () => {
    expect(await undecidedFrom(stand.evidence, userId, new Date(requestedAt))).toEqual(new Date(requestedAt));
    await Promise.all(times.slice(0, 3).map((time) => stand.putEvidence(decisionOf(time), '{}')));
    expect((await undecidedFrom(stand.evidence, userId, new Date(requestedAt)))?.toISOString()).toBe(times[3]);
    await all(decisionOf);
    const found = await undecidedFrom(stand.evidence, userId, new Date(requestedAt));
    expect(found?.getTime()).toBeGreaterThan(Date.parse(times[99] ?? ''));
  });
});

test('a decision counts, and objects with similar names do not', async () => {
  await lay(requestKey(userId, requestedAt), 0);
  await lay(`${decisionKey}.json`, 1, { decision: 'restored' });
  expect(await at(1).isTakenBack(row)).toBe(false);
  // A name that is not a time is no request: planting one takes nothing back.
  await lay(requestKey(userId, '+010000-01-01T00:00:00.000Z'), 0);
  expect([...(await laidOf(stand.evidence, userId)).asked.keys()]).toEqual([requestedAt]);
});

describe('several requests', () => {
  const next = { userId, requestedAt: days(20).toISOString() };
  const later = { ...row, ...next };
  const decisionOf = (one: typeof request) => `erasure-decisions/${userId}/${one.requestedAt}.json`;
  beforeEach(async () => {
    await lay(requestKey(userId, requestedAt), 0);
    await lay(requestKey(userId, next.requestedAt), 20);
  });

  test('if the last one is too late to take back, the others do not change', async () => {
    const last = { userId, requestedAt: days(20.5).toISOString() };
    await lay(requestKey(userId, last.requestedAt), 20.5);
    await lay(`erasure-begun/${userId}/${next.requestedAt}.seen.json`, 20);
    await lay(`erasure-begun/${userId}/${last.requestedAt}.seen.json`, 13);
    expect(await takeBack(21, next)).toBe(false);
    expect((await laidOf(stand.evidence, userId)).decisions).toEqual(new Map());
  });

  test('if the closing comes between the check and the decision, the others get no decision', async () => {
    const laid = await laidOf(stand.evidence, userId);
    await lay(`erasure-begun/${userId}/${next.requestedAt}.seen.json`, 20);
    await lay(decisionOf(next), 27, { decision: 'closing' });
    const asked = { userId, request: next, laid, businessNow: days(26.9) };
    expect(await areTakenBackIn(stand.evidence, 'prod', asked)).toBe(false);
    expect([...(await laidOf(stand.evidence, userId)).decisions.keys()]).toEqual([next.requestedAt]);
  });

  test('a request that a later one took back with it is not checked again', async () => {
    await lay(seenKey, 0);
    await lay(decisionOf(next), 21, { decision: 'restored' });
    const third = { userId, requestedAt: days(40).toISOString() };
    await lay(requestKey(userId, third.requestedAt), 40);
    expect(await takeBack(41, third)).toBe(true);
    expect(await at(41).isTakenBack({ ...row, ...third })).toBe(true);
  });

  test('a closing within the grace does not keep a later request from being taken back by the run', async () => {
    await lay(seenKey, 0);
    await lay(decisionKey, 3, { decision: 'closing' });
    expect(await takeBack(4)).toBe(true);
    await lay(`erasure-begun/${userId}/${next.requestedAt}.seen.json`, 20);
    // The call stopped between the decision and the row.
    expect(await takeBack(21, next)).toBe(true);
    expect(await at(21).isTakenBack(later)).toBe(true);
    expect(await takeBack(21, next)).toBe(true);
  });

  test.each([
    ['without a decision', null],
    ['whose sign-in is closed', 7],
  ])('another request %s keeps the run from opening the account', async (_, closedOn) => {
    await lay(seenKey, 0);
    if (closedOn !== null) await lay(decisionKey, closedOn, { decision: 'closing' });
    // Stored later than the restoration, so it is not taken back with it.
    const third = { userId, requestedAt: days(40).toISOString() };
    await lay(requestKey(userId, third.requestedAt), 40);
    await lay(`erasure-begun/${userId}/${third.requestedAt}.seen.json`, 40);
    await lay(decisionOf(next), 21, { decision: 'restored' });
    if (closedOn !== null) await lay(decisionOf(third), 41, { decision: 'restored' });
    await expect(at(42).isTakenBack(later)).rejects.toMatchObject({ name: 'NotAsked' });
  });

  test('a request that was stored but never committed is taken back with the current one, in each environment', async () => {
    const graceEndsAt = days(1).toISOString();
    await stand.close();
    stand = await openStand();
    await lay(requestKey(userId, requestedAt), 0, { graceEndsAt });
    await lay(requestKey(userId, next.requestedAt), 20, { graceEndsAt: days(21).toISOString() });
    expect(await takeBack(20.5, next, 'dev')).toBe(true);
    expect([await at(21).isTakenBack(row), await at(21).isTakenBack(later)]).toEqual([true, true]);
  });

  test('in dev the grace of the row’s own request ends at the time in the row, though nobody saw the request', async () => {
    await stand.close();
    stand = await openStand();
    await lay(requestKey(userId, requestedAt), 0, { graceEndsAt: days(1).toISOString() });
    expect(await takeBack(2, request, 'dev')).toBe(false);
  });
});

test('an erasure that began within the grace, or that nobody requested, needs no tombstone', async () => {
  const grace = 7 * 86_400_000;
  await lay(begunKey(userId, requestedAt), 6.9);
  expect(await begunAtOf(stand.evidence, userId, grace)).toBe(null);
  await lay(requestKey(userId, requestedAt), 0);
  expect(await begunAtOf(stand.evidence, userId, grace)).toBe(null);
  expect(await begunAtOf(stand.evidence, userId, 6 * 86_400_000)).toEqual(days(6.9));
});

test('nor does one whose request was taken back, and the check finds it however late it is laid', async () => {
  await lay(requestKey(userId, requestedAt), 0);
  await lay(`erasure-begun/${userId}/${requestedAt}.seen.json`, 0);
  await lay(`erasure-decisions/${userId}/${requestedAt}.json`, 2, { decision: 'restored' });
  expect((await checkOn(100)).findings).toEqual([]);
  await lay(begunKey(userId, requestedAt), 100);
  expect(await begunAtOf(stand.evidence, userId, week)).toBe(null);
  const found = [saysOf('erased-although-taken-back', userId)];
  for (const day of [101, 110]) expect((await checkOn(day)).findings).toEqual(found);
  await lay(`erasure-begun/${userId}/${requestedAt}.erased.json`, 104);
  expect((await checkOn(105)).findings).toEqual(found);
});

const week = 7 * 86_400_000;
/** By the rules of prod, some days after the request. */
const checkOn = (day: number, more: Partial<Checking> = {}) =>
  checkEvidence({
    bucket: stand.evidence,
    isHeld: async () => false,
    isEnforced: async () => true,
    hasReleaseOrHold: async () => true,
    ...{ graceMs: week, dueMs: week, now: days(day), hasTime: () => true },
    ...more,
  });
const saysOf = (what: string, user: string) => `${what}: user ${hashOfUser(user)}, request of ${requestedAt}`;

test('the check reads both lists in order, and looks whether an overdue request was taken back or is held', async () => {
  const keyOf = (user: string, kind?: string) =>
    kind ? `erasure-begun/${user}/${requestedAt}.${kind}.json` : requestKey(user, requestedAt);
  const asking = ['a', 'a-b', 'back', 'held', 'late', 'restored', 'unbegun'];
  for (const user of asking) await lay(keyOf(user), 0);
  for (const user of [...asking, 'unasked']) await lay(keyOf(user, 'seen'), 0);
  await lay(keyOf('unbegun', 'erased'), 8);
  await lay(`erasure-decisions/restored/${requestedAt}.json`, 2, { decision: 'restored' });
  for (const user of ['a', 'a-b', 'unasked', 'restored']) {
    await lay(keyOf(user, 'begun'), 8);
    await lay(keyOf(user, 'erased'), 8);
  }
  await lay(`erasure-decisions/back/${requestedAt}.json`, 2, { decision: 'restored' });
  const checked = await checkOn(10, { isHeld: async (user) => user === 'held' });
  expect(checked).toMatchObject({ requests: 8, held: 1 });
  expect(checked.findings.map((one) => one.split(':')[0]).toSorted()).toEqual([
    'erased-although-taken-back',
    'erased-unasked',
    'erased-unbegun',
    'overdue',
  ]);
});

test('the check finds a grace whose rows leave the user enabled, and goes on if one user cannot be checked', async () => {
  for (const user of ['back', 'broken', 'in', 'out']) {
    await lay(requestKey(user, requestedAt), 0);
    await lay(`erasure-begun/${user}/${requestedAt}.seen.json`, 0);
  }
  await lay(`erasure-decisions/back/${requestedAt}.json`, 2, { decision: 'restored' });
  let isTime = true;
  const check = (last?: string) =>
    checkOn(3, {
      isHeld: async () => true,
      isEnforced: async (user) => {
        if (user === last) isTime = false;
        if (user === 'broken') throw new Error('no row of a state');
        return user === 'out';
      },
      hasTime: () => isTime,
    });
  const findings = [saysOf('not-checked (Error)', 'broken'), saysOf('not-standing', 'in')];
  expect(await check()).toEqual({ requests: 4, held: 0, isComplete: true, findings });
  // What was found by the end of its time is known.
  expect(await check('in')).toMatchObject({ requests: 3, isComplete: false, findings });
});

test('what one user has too much of costs a line, and what is no user’s another; behind them all are checked', async () => {
  const flood = Array.from({ length: 1001 }, (_, at) => `erasure-requests/flooded/${at}`);
  await mapWithConcurrency(flood, 50, (key) => stand.putEvidence(key, '{}'));
  for (const user of ['!', 'flooded', 'late', '~']) await lay(requestKey(user, requestedAt), 0);
  const { evidence, figures } = counted();
  expect((await checkOn(10, { bucket: evidence })).findings).toEqual([
    saysOf('never-taken-up', 'late'),
    `too-many-requests: user ${hashOfUser('flooded')}`,
    'not-a-user: 2 objects',
  ]);
  expect(figures.calls).toBeLessThan(20);
});

test('whoever stores more than a run can read hides others for some days only', async () => {
  const some = Array.from({ length: 64 }, (_, at) => `${(at * 4).toString(16).padStart(2, '0')}-user`);
  for (const user of some) await lay(requestKey(user, requestedAt), 0);
  const seen = new Set<string>();
  for (let day = 10; day < 18; day += 1) {
    const asks = Array.from({ length: 40 }, () => null);
    const { isComplete, findings } = await checkOn(day, { hasTime: () => asks.pop() === null });
    expect([isComplete, findings.length > 0]).toEqual([false, true]);
    for (const finding of findings) seen.add(finding);
  }
  expect(seen.size).toBe(64);
});

test('the records of an erased user are released in time, or it is a finding from the second day on', async () => {
  for (const user of ['kept', 'released']) {
    await lay(requestKey(user, requestedAt), 0);
    for (const kind of ['seen', 'begun', 'erased'])
      await lay(`erasure-begun/${user}/${requestedAt}.${kind}.json`, kind === 'seen' ? 0 : 8);
  }
  const isReleasing = async (user: string, erasedAt: Date) => {
    expect(erasedAt).toEqual(days(8));
    return user === 'released';
  };
  expect((await checkOn(9, { hasReleaseOrHold: isReleasing })).findings).toEqual([]);
  expect((await checkOn(9.1, { hasReleaseOrHold: isReleasing })).findings).toEqual([saysOf('never-released', 'kept')]);
});

test('an object beside a request, under another name, does not delay the request’s due time', async () => {
  const key = requestKey(userId, requestedAt);
  await lay(key, 0);
  await lay(seenKey, 0);
  for (const name of ['.zz', '.json', 'Z', '/Z']) await lay(key.replace(/\.json$/, `${name}.json`), 9);
  const { findings } = await checkOn(10);
  expect(findings).toEqual([saysOf('overdue', userId)]);
});
