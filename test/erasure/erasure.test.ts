import { describe, expect, test } from 'vitest';
import { dueKeyOf, nextStep } from '../../functions/erasure/rules/due.ts';
import {
  accountOf,
  areTooMany,
  begun,
  closed,
  closing,
  erased,
  held,
  lifted,
  momentAfter,
  notBegun,
  ofTheLastDay,
  requested,
  settled,
  signedOut,
  statusOf,
} from '../../functions/erasure/rules/erasure.ts';
import { isErasure } from '../../functions/erasure/rules/erasure-form.ts';
import { recordFirstSeen, recordWitnessed, restoreAccount } from '../../functions/erasure/rules/grace.ts';
import { datedState, hasRetentionEnded, stateIn } from '../../functions/erasure/rules/logged.ts';
import { isLiftedInLog, logNameOf, replayed } from '../../functions/erasure/rules/replayed.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { takenBackIn } from '../../functions/erasure/rules/taken-back.ts';

const at = (time: string) => new Date(`2026-03-01T${time}.000Z`);
const askedAt = (now: Date) => ({
  userId: 'u',
  application: 'sleepcare',
  times: { now, businessNow: now },
  graceDays: 0,
});
const asked = requested(null, askedAt(at('12:00:00')));
const settle = (state: Erasure, last: string | null, now: Date) =>
  recordWitnessed(signedOut(settled(state, last, { now, businessNow: now }), now), now);
const none = () => false;
const restore = { now: new Date('2026-03-20T12:00:00.000Z') };
const dated = { graceDays: 7, isDated: true };
const ended = settle(asked, null, at('12:00:00'));
const shutting = closing(ended, { now: at('12:00:00'), businessNow: at('12:00:00') });
const shut = closed(shutting, at('12:00:01'), 960);
const settledLater = settle(requested(null, { ...askedAt(at('12:00:00')), graceDays: 7 }), null, at('12:00:00'));
const later = { now: at('12:16:01'), businessNow: at('12:16:01') };
const going = begun(shut, later);
const done = erased(going, at('12:16:02'));
const case1 = { since: at('13:00:00').toISOString(), by: 'admin', reason: 'case 1' };
const hold = (state: Erasure | null) => held(state, { userId: 'u', application: 'sleepcare', ...case1 }) as Erasure;

test.each([
  ['nobody asked', null, 'none', null],
  ['asked, and sessions go on', asked, 'requested', 'due#sleepcare 2026-03-01T12:00:00.000Z#u'],
  ['asked, and can still take it back', settledLater, 'requested', 'due#sleepcare 2026-03-08T12:00:00.000Z#u'],
  ['no sign-in soon', shutting, 'requested', 'due#sleepcare 2026-03-01T12:00:00.000Z#u'],
  ['no sign-in any more', shut, 'requested', 'due#sleepcare 2026-03-01T12:16:01.000Z#u'],
  ['under way', going, 'requested', 'due#sleepcare 2026-03-01T12:16:01.000Z#u'],
  ['gone', done, 'erased', 'due#release 2036-03-01T12:16:02.000Z#u'],
  ['held before anything', hold(null), 'held', null],
  ['held, and sign-in still works', hold(asked), 'held', 'due#sleepcare 2026-03-01T12:00:00.000Z#u'],
  ['held in time', hold(shut), 'held', null],
  ['held when it was under way', hold(going), 'held', 'due#sleepcare 2026-03-01T12:16:01.000Z#u'],
  ['held when it was gone', hold(done), 'held', null],
  ['lifted', lifted(hold(shut), at('14:00:00')), 'requested', 'due#sleepcare 2026-03-01T12:16:01.000Z#u'],
])('%s', (_name, state, status, due) => {
  const key = state && dueKeyOf(state);
  expect([statusOf(state), key && `${key.kind} ${key.erasureKey}`]).toEqual([status, due]);
});

describe('a rule that does not apply changes nothing', () => {
  test.each<[string, Erasure, (state: Erasure) => Erasure | null]>([
    ['a second request', shut, (state) => requested(state, askedAt(at('15:00:00')))],
    ['a second closing', shut, (state) => closed(state, at('15:00:00'), 960)],
    ['an erasure that is too early', shut, (state) => begun(state, { ...later, now: at('12:16:00') })],
    ['an erasure under a hold', hold(shut), (state) => begun(state, later)],
    ['an erasure that is done', done, (state) => erased(state, at('15:00:00'))],
    ['the same hold', hold(shut), (state) => hold(state)],
    ['a lifting without a hold', shut, (state) => lifted(state, at('15:00:00'))],
  ])('%s', (_name, state, rule) => {
    expect(rule(state)).toBe(state);
  });
});

describe('the grace', () => {
  const times = (now: Date, businessNow = now) => ({ now, businessNow });
  const day = (number: number) => new Date(Date.UTC(2026, 2, number, 12));

  test('a restoration removes all steps that followed from the request, whatever the row says; the evidence decides whether it is too late', () => {
    const back = restoreAccount(settledLater, day(1));
    expect(back).toMatchObject({
      requestedAt: null,
      endedAt: null,
      graceEndsAt: null,
      witnessedAt: null,
      restoredAt: day(1).toISOString(),
    });
    const none = { closingAt: null, closedAt: null, accessEndsAt: null, begunAt: null, erasedAt: null, pending: null };
    expect(restoreAccount(going, day(1))).toMatchObject({ requestedAt: null, ...none });
    const decided = closing(settledLater, times(day(1), day(8)));
    expect(nextStep(decided)).toEqual({ step: 'close', at: day(1).toISOString() });
    expect(restoreAccount(back as Erasure, day(2))).toBe(back);
    expect(restoreAccount(asked, day(1))).toBe(null);
  });

  test('is complete when the request is first seen, and removes all earlier steps from the row', () => {
    expect(recordFirstSeen(settledLater, times(at('12:05:00')), dated)).toBe(settledLater);
    const graceEndsAt = day(10).toISOString();
    const none = { closingAt: null, closedAt: null, accessEndsAt: null, begunAt: null, pending: null };
    expect(recordFirstSeen(going, times(day(3)), dated)).toMatchObject({ ...none, graceEndsAt, witnessedAt: null });
    expect(recordFirstSeen(settledLater, times(day(3)), dated)).toMatchObject({ graceEndsAt });
    // Where the time machine is, only the row knows when it ends.
    expect(recordFirstSeen(settledLater, times(day(3)), { ...dated, isDated: false })).toBe(settledLater);
  });

  test('a restoration also takes back earlier requests without a decision', () => {
    const at = day(3);
    const decisions = new Map([
      ['1', { decision: 'closing', at } as const],
      ['3', { decision: 'restored', at } as const],
    ]);
    const asked = new Map(['0', '1', '2', '3', '4'].map((time) => [time, day(1)]));
    const takenBack = (requests: ReadonlyMap<string, Date>) =>
      ['0', '1', '2', '3', '4'].map(takenBackIn(decisions, requests));
    expect(takenBack(asked)).toEqual([true, false, true, true, false]);
    // Requests that were stored after the decision do not count. A decision without its own request counts for no other
    // request.
    expect(takenBack(new Map([...asked, ['2', new Date(at.getTime() + 1)]]))).toEqual([
      true,
      false,
      false,
      true,
      false,
    ]);
    expect(takenBack(new Map([...asked].filter(([time]) => time !== '3')))).toEqual([false, false, false, true, false]);
  });

  test('a row that was restored in the year 9999 does not prevent a request', () => {
    const planted = { ...(restoreAccount(settledLater, day(2)) as Erasure), restoredAt: '9999-01-01T00:00:00.000Z' };
    expect(requested(planted, askedAt(day(3))).requestedAt).toBe(day(3).toISOString());
  });

  test('a request is later than all before it, even if clocks differ, and ends everything until then', () => {
    const now = day(3);
    const ms = (offset: number) => new Date(now.getTime() + offset).toISOString();
    const nextAfter = (asked: string[]) => momentAfter(now, null, asked).toISOString();
    expect(nextAfter([ms(0)])).toBe(ms(1));
    // Another host may be thirty seconds ahead, but not two minutes.
    expect(nextAfter([ms(30_000), ms(10_000)])).toBe(ms(30_001));
    expect(nextAfter([ms(120_000)])).toBe(ms(0));
    expect(momentAfter(now, ms(5), [ms(0)]).toISOString()).toBe(ms(6));
    const later = requested(null, { ...askedAt(now), asked: new Date(ms(30_001)) });
    expect(later).toMatchObject({ requestedAt: ms(30_001), endedAt: ms(30_001) });
  });

  test('twenty requests are the most within a day', () => {
    const now = day(3);
    const laid = (count: number, age: number) =>
      new Map(Array.from({ length: count }, (_, at) => [`${age}-${at}`, new Date(now.getTime() - age)]));
    const decided = (of: ReadonlyMap<string, Date>) => new Map(ofTheLastDay(of, now).map((time) => [time, {}]));
    expect(areTooMany(decided(laid(20, 86_399_999)))).toBe(true);
    expect(areTooMany(decided(new Map([...laid(19, 0), ...laid(100, 86_400_000)])))).toBe(false);
    expect(ofTheLastDay(laid(1000, 0), now)).toHaveLength(20);
    expect(areTooMany(new Map())).toBe(false);
  });

  test('a revision in the log is limited, so that the row can count on', () => {
    const planted = { ...settledLater, revision: 1_000_000_000 };
    expect(isErasure(planted)).toBe(true);
    expect(isErasure({ ...planted, revision: planted.revision + 1 })).toBe(false);
    expect(replayed(null, [planted], none, restore)?.revision).toBe(100_000_000);
    expect(replayed(settledLater, [planted], none, restore)).toBe(settledLater);
  });

  test('a year with more than four digits is not a time', () => {
    for (const restoredAt of ['+010000-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '2026-03-01T12:00:00Z'])
      expect(isErasure({ ...settledLater, restoredAt }), restoredAt).toBe(false);
  });

  test('ended consents stay ended, and the account is open', () => {
    const recordedAt = at('12:00:00').toISOString();
    const request = requested(null, { ...askedAt(at('11:59:59')), graceDays: 7 });
    // The end is not earlier than a write that was running at the request, nor than a record of a host whose clock is
    // ahead.
    const atRecord = settle(request, recordedAt, at('11:59:59'));
    expect(atRecord.endedAt).toBe(recordedAt);
    const known = settle(request, recordedAt, at('12:00:02'));
    const endedAt = at('12:00:02').toISOString();
    expect(known).toMatchObject({ endedAt, ends: [endedAt] });
    expect(accountOf(known)).toEqual({ isClosed: true, ends: [endedAt] });
    const back = restoreAccount(known, at('13:00:00')) as Erasure;
    expect(accountOf(back)).toEqual({ isClosed: false, ends: [endedAt] });
    // Closed once more without a new record: nothing more ended.
    const again = settle(requested(back, { ...askedAt(at('14:00:00')), graceDays: 7 }), recordedAt, at('14:00:01'));
    expect(again.ends).toEqual([endedAt]);
    expect(accountOf(again)).toEqual({ isClosed: true, ends: [endedAt, at('14:00:01').toISOString()] });
    // Nor did it where that record is as late as the end that it gave.
    const reopened = restoreAccount(atRecord, at('13:00:00')) as Erasure;
    const closedAgain = requested(reopened, { ...askedAt(at('14:00:00')), graceDays: 7 });
    expect(settle(closedAgain, recordedAt, at('14:00:01')).ends).toEqual([recordedAt]);
  });

  test('a user without records who takes the request back has an account as before', () => {
    const back = restoreAccount(settledLater, day(2)) as Erasure;
    expect(accountOf(back)).toBe(null);
  });

  test('after a restore the stored decision counts, not what a state says about it', () => {
    const back = restoreAccount(settledLater, day(2)) as Erasure;
    const { requestedAt } = settledLater;
    const takenBack = (one: string) => one === requestedAt;
    const open = { requestedAt: null, endedAt: null };
    expect(replayed(settledLater, [settledLater, back], takenBack, restore)).toMatchObject(open);
    expect(replayed(null, [back, settledLater], takenBack, restore)).toMatchObject({
      ...open,
      restoredAt: back.restoredAt,
    });
    const again = requested(back, { ...askedAt(day(3)), graceDays: 7 });
    expect(replayed(settledLater, [back, again], takenBack, restore)).toMatchObject({ requestedAt: again.requestedAt });
    const planted = { ...back, restoredAt: '9999-01-01T00:00:00.000Z' };
    expect(replayed(planted, [settledLater, planted], none, restore)).toMatchObject({ requestedAt });
  });
});

test('ten years from a leap day end on a day that exists', () => {
  const leap = erased({ ...going, begunAt: '2028-02-29T00:00:00.000Z' }, new Date('2028-02-29T12:00:00.000Z'));
  expect(leap.retainUntil).toBe('2038-03-01T12:00:00.000Z');
});

describe('after a restore', () => {
  test('a beginning that was taken back for a hold does not count, in whichever order the log is read', () => {
    const underHold = hold(going);
    const heldBack = notBegun(underHold, at('13:00:01'));
    expect([heldBack.begunAt, heldBack.pending]).toEqual([null, null]);
    const free = lifted(heldBack, at('14:00:00'));
    expect(replayed(free, [going, underHold, heldBack], none, restore)).toMatchObject({ begunAt: null, pending: null });
    const again = begun(free, { now: at('14:00:01'), businessNow: at('14:00:01') });
    for (const log of [
      [going, heldBack, again],
      [again, heldBack, going],
    ]) {
      expect(replayed(null, log, none, restore)).toMatchObject({ begunAt: again.begunAt, pending: 'erasure' });
    }
  });

  test('the log knows what the table has forgotten, and a begun erasure is done again', () => {
    expect(replayed(null, [asked, shut, going, done], none, restore)).toEqual({
      ...done,
      settledAt: null,
      pending: 'erasure',
    });
    const forgotten = replayed(asked, [done], none, restore) as Erasure;
    // Consents that were recorded meanwhile ended, too.
    expect(nextStep(forgotten)).toEqual({ step: 'settle', at: done.requestedAt });
    const again = settle(forgotten, '2026-03-01T12:30:00.000Z', at('12:31:00'));
    expect(again).toMatchObject({ endedAt: '2026-03-01T12:30:00.000Z', ends: ['2026-03-01T12:30:00.000Z'] });
    expect(nextStep(again)).toEqual({ step: 'erase', at: done.begunAt });
  });
  test('a hold since the restore stays: no log lifts it, but the log names it', () => {
    const since = hold(asked);
    expect(replayed(since, [shut], none, restore)).toMatchObject({ closedAt: shut.closedAt, legalHold: case1 });
    const planted = lifted(since, at('14:00:00'));
    for (const log of [
      [since, planted],
      [planted, since],
    ]) {
      for (const inTable of [since, asked, null]) {
        const after = replayed(inTable, log, none, restore) as Erasure;
        expect(after).toMatchObject({ legalHold: case1, holdChangedAt: case1.since });
        expect(isLiftedInLog(after, log)).toBe(true);
        expect(replayed(after, log, none, restore)).toBe(after);
      }
      // A table that still knows the lifting counts, unless its time is in the future.
      expect(replayed(planted, log, none, restore)).toMatchObject({ legalHold: null });
      const ahead = { ...planted, holdChangedAt: '9999-01-01T00:00:00.000Z' };
      expect(replayed(ahead, log, none, restore)).toMatchObject({ legalHold: case1 });
      // The hold itself counts, whatever the state's copy says.
      expect(replayed(planted, log, none, { ...restore, inHolds: case1 })).toMatchObject({ legalHold: case1 });
    }
    expect(isLiftedInLog(since, [since, asked])).toBe(false);
  });
  test('a hold in a state of the log counts only if S3 stored the state after the hold', () => {
    const state = hold(asked);
    expect(datedState({ state, storedAt: at('12:59:00') })).toBe(state);
    expect(datedState({ state, storedAt: at('12:58:59') })).toMatchObject({ legalHold: null, holdChangedAt: null });
  });
  test('a user who asks again before the replay gets the first times after it, in whatever order the log is', () => {
    const again = requested(null, askedAt(at('12:05:00')));
    const states = [asked, shut, again, { ...shut, ...again, closingAt: later.now.toISOString() }];
    // Except the end, as the user may have recorded something since.
    const { endedAt } = again;
    for (const log of [states, states.toReversed()]) {
      expect(replayed(states[3] as Erasure, log, none, restore)).toEqual({ ...shut, endedAt, settledAt: null });
    }
  });
  test('if table and log say the same, the state in the table does not change, whatever the revisions', () => {
    const inTable = { ...held(asked, { userId: 'u', application: 'sleepcare', ...case1 }), revision: 3 } as Erasure;
    expect(replayed(inTable, [asked, { ...inTable, revision: 7 }], none, restore)).toBe(inTable);
    const redone = replayed(done, [going, done], none, restore) as Erasure;
    expect(replayed(redone, [going, done], none, restore)).toBe(redone);
  });
  test.each([
    ['two weeks after it was done: it is in the backup', '2026-03-15T12:00:00.000Z', null],
    ['a day after it', '2026-03-02T12:00:00.000Z', 'erasure'],
    ['before it', '2026-02-01T12:00:00.000Z', 'erasure'],
  ])('of a backup from %s', (_, backupOf, pending) => {
    expect(replayed(done, [going, done], none, { ...restore, backupOf: new Date(backupOf) })?.pending).toBe(pending);
    expect(replayed(going, [going], none, { ...restore, backupOf: new Date(backupOf) })?.pending).toBe('erasure');
  });
  test('without a row and a log there is no state', () => {
    expect(replayed(null, [], none, restore)).toBe(null);
  });
  test('two states with one number have two names in the log, and equal states have one', () => {
    expect(logNameOf(shut)).toBe(logNameOf({ ...structuredClone(shut) }));
    expect(logNameOf(hold(shut))).not.toBe(logNameOf(shut));
  });
});

describe('the log', () => {
  const place = { userId: 'u', name: logNameOf(going) };
  test('accepts a state only under its own name', () => {
    expect(stateIn(JSON.stringify(going), place)).toEqual(going);
    const planted = { ...going, erasedAt: '2015-01-01T00:00:00.000Z' };
    for (const text of [JSON.stringify(planted), '{', 'null', '[]']) expect(stateIn(text, place)).toBe(null);
    expect(stateIn(JSON.stringify(going), { ...place, userId: 'another' })).toBe(null);
    // The name fits the content, but the content is not a state.
    const formless = [
      { requestedAt: 'yesterday' },
      { revision: -1 },
      { ends: [1] },
      { legalHold: { since: going.requestedAt } },
      { chains: [{ records: 'all' }] },
      { pending: 'other' },
      { tombstone: 1 },
      { heldBackAt: undefined },
    ];
    for (const change of formless) {
      const state = { ...going, ...change } as unknown as Erasure;
      expect(stateIn(JSON.stringify(state), { ...place, name: logNameOf(state) }), JSON.stringify(change)).toBe(null);
    }
  });

  test.each<[string, Date | null, Date, boolean]>([
    ['laid so long ago', at('12:16:01'), new Date('2036-03-01T12:16:01.000Z'), true],
    ['a moment too early', at('12:16:01'), new Date('2036-03-01T12:16:00.999Z'), false],
    ['laid since', at('12:16:02'), new Date('2036-03-01T12:16:01.000Z'), false],
    ['never laid', null, new Date('2036-03-01T12:16:01.000Z'), false],
  ])('a beginning bears out a release: %s', (_, begunAt, asOf, isBorneOut) => {
    expect(hasRetentionEnded(begunAt, asOf)).toBe(isBorneOut);
  });
});
