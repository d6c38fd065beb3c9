import { expect } from 'vitest';
import { dueKeyOf, dueMove, dueUntil, queueOf, releaseQueue, stepDue } from '../../functions/erasure/rules/due.ts';
import {
  accountOf,
  expiryOf,
  held,
  lifted,
  nothing,
  requested,
  retentionYears,
} from '../../functions/erasure/rules/erasure.ts';
import { restoreAccount } from '../../functions/erasure/rules/grace.ts';
import { hasRetentionEnded, type Logged } from '../../functions/erasure/rules/logged.ts';
import { logNameOf, replayed } from '../../functions/erasure/rules/replayed.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { type Decided, type Decision, takenBackIn } from '../../functions/erasure/rules/taken-back.ts';
import {
  type Erasing,
  eraseStep,
  HoldStands,
  type Register,
  type Releasing,
  releaseStep,
  settle,
  settleConsents,
} from '../../functions/erasure/workflows/take-step.ts';
import { endAfter } from '../../lib/contract/accounts.ts';

/** One user's world in memory, driven by the real rules and steps. A crash can follow each effect. */

class Crash extends Error {}

export const minute = 60_000;
const tokenMs = 15 * minute;
export const graceDays = 7;
const userId = 'user';

/** `due`: the keys of the queue rows. They are in the erasure's table, so a restore brings them back with it. */
type Data = {
  erasure: Erasure | null;
  due: readonly Key[];
  profile: 'none' | 'present' | 'tombstone';
  lastRecordAt: string | null;
  expiry: string | null;
};

type Key = { kind: string; erasureKey: string };

const isOf = (one: Key) => (other: Key) => one.kind === other.kind && one.erasureKey === other.erasureKey;

export function openWorld() {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  let offset = 0;
  let data: Data = { erasure: null, due: [], profile: 'none', lastRecordAt: null, expiry: null };
  let backup: Data | null = null;
  let isReplayDue = false;
  /** Effects until the crash; null for none. */
  let left: number | null = null;
  const log: Logged[] = [];
  /** Other objects in the bucket, by the time of the request. */
  const asked = new Map<string | null, { graceEndsAt: string | null; at: Date }>();
  const seenLaid = new Set<string | null>();
  const decisions = new Map<string | null, Decided>();
  const decide = (requestedAt: string | null, decision: Decision) => {
    effect();
    if (!decisions.has(requestedAt)) decisions.set(requestedAt, { decision, at: new Date(now) });
  };
  const begunLaid = new Map<string | null, Date>();
  let pool: 'enabled' | 'disabled' | 'deleted' = 'enabled';
  let tokenEndsAt = 0;
  let isBucketSigned = false;
  /** A hold that was confirmed before the erasure had begun. */
  let isFrozen = false;
  /** The last request was cancelled, and the user got that answer. */
  let isTakenBack = false;
  let wasErased = false;
  let wasReleased = false;

  const effect = () => {
    if (left === 0) throw new Crash();
    if (left !== null) left -= 1;
  };
  /** The time of the decision: the clock may be set back before the decision is carried out. */
  const assertReleasable = ({ erasedAt }: Erasure) => {
    const kept = new Date(erasedAt ?? '');
    kept.setUTCFullYear(kept.getUTCFullYear() + retentionYears);
    expect(now + offset).toBeGreaterThanOrEqual(kept.getTime());
    expect(isFrozen).toBe(false);
  };
  const write = (after: Erasure) => {
    effect();
    const isKnown = data.erasure?.releasedAt || log.some(({ state }) => state.releasedAt);
    if (after.releasedAt && !isKnown) assertReleasable(after);
    const revision = Math.max(data.erasure?.revision ?? 0, after.revision) + 1;
    const { left: gone, next } = dueMove(data.erasure, after);
    const rest = data.due.filter((row) => !(gone && isOf(gone)(row)) && !(next && isOf(next)(row)));
    data = { ...data, erasure: { ...after, revision }, due: [...rest, ...(next ? [next] : [])] };
  };
  /** The users who are due by then, as the sweeps read them. */
  const isDue = (kind: string, until: number) =>
    data.due.some((row) => row.kind === kind && row.erasureKey < dueUntil(new Date(until)));
  const keep = (after: Erasure) => {
    if (after !== data.erasure) write(after);
    effect();
    const state = data.erasure;
    // An equal state is stored only once, under its first time.
    if (state && !log.some((one) => logNameOf(one.state) === logNameOf(state)))
      log.push({ state, storedAt: new Date(now) });
    return data.erasure;
  };
  const register = (): Register => ({
    read: async () => data.erasure,
    change: async (_id, rule) => data.erasure && keep(rule(data.erasure)),
    changeUnheld: async (_id, rule) => {
      const after = data.erasure && rule(data.erasure);
      if (after && after !== data.erasure && data.erasure?.legalHold) throw new HoldStands();
      return after && keep(after);
    },
    now: () => new Date(now),
    businessNow: new Date(now + offset),
  });
  const stepEffects: Erasing & Releasing = {
    accessSeconds: 16 * 60,
    lastRecordAt: async () => data.lastRecordAt,
    endSessions: async () => effect(),
    closeSignIn: async () => {
      effect();
      expect(data.erasure?.closingAt).not.toBe(null);
      if (pool === 'enabled') pool = 'disabled';
    },
    // The time machine exists here: the row says when the grace ends.
    grace: { graceDays, isDated: false },
    isSeen: async ({ requestedAt }) => {
      expect(asked.has(requestedAt)).toBe(true);
      return seenLaid.has(requestedAt);
    },
    isTakenBack: async ({ requestedAt }) => takenBack()(requestedAt ?? '~'),
    closeAccount: async () => effect(),
    // One transaction writes both.
    readAccount: async () => ({ isClosed: Boolean(data.erasure?.requestedAt), ends: data.erasure?.ends ?? [] }),
    laySeen: async ({ requestedAt }) => {
      effect();
      seenLaid.add(requestedAt);
    },
    isGraceOver: async ({ requestedAt }) => seenLaid.has(requestedAt),
    isClosing: async ({ requestedAt }) => {
      decide(requestedAt, 'closing');
      return decisions.get(requestedAt)?.decision === 'closing';
    },
    isClosed: async ({ requestedAt }) => {
      expect([asked.has(requestedAt), seenLaid.has(requestedAt), decisions.get(requestedAt)?.decision]).toEqual([
        true,
        true,
        'closing',
      ]);
      return true;
    },
    layErased: async () => effect(),
    isBegunLaid: async ({ requestedAt }) => begunLaid.has(requestedAt),
    layBegun: async ({ requestedAt }) => {
      effect();
      if (!begunLaid.has(requestedAt)) begunLaid.set(requestedAt, new Date(now));
    },
    eraseAccount: async () => {
      if (!wasErased) {
        expect(now).toBeGreaterThanOrEqual(tokenEndsAt);
        expect(isFrozen).toBe(false);
        expect(isTakenBack).toBe(false);
      }
      effect();
      data = { ...data, profile: 'tombstone' };
      effect();
      pool = 'deleted';
      wasErased = true;
    },
    seal: async () => {
      effect();
      // A step that is due by the table is also due by the evidence of its beginning.
      const [first = null] = [...begunLaid.values()].toSorted((one, other) => one.getTime() - other.getTime());
      expect(hasRetentionEnded(first, new Date(now + offset))).toBe(true);
      return { chains: [], tombstone: 'jws' };
    },
    release: async ({ recordsExpireAt, releasedAt }) => {
      wasReleased = true;
      effect();
      isBucketSigned = true;
      effect();
      expect(recordsExpireAt).toBe(expiryOf(new Date(releasedAt ?? '')).toISOString());
      data = { ...data, expiry: recordsExpireAt };
    },
  };

  /** @returns whether it was completed */
  async function untilCrash(act: () => Promise<unknown>, effects: number | null = null): Promise<boolean> {
    left = effects;
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
      return false;
    } finally {
      left = null;
    }
  }

  const times = () => ({ now: new Date(now), businessNow: new Date(now + offset) });

  async function request() {
    try {
      const stands = takenBack()(data.erasure?.requestedAt ?? '~') ? null : data.erasure;
      const open = stands ?? (data.erasure && restoreAccount({ ...data.erasure, settledAt: isoNow() }, new Date(now)));
      const after = requested(open, { userId, application: 'sleepcare', times: times(), graceDays });
      if (after !== data.erasure) {
        effect();
        asked.set(after.requestedAt, { graceEndsAt: after.graceEndsAt, at: new Date(now) });
      }
      keep(after);
    } finally {
      if (data.erasure?.requestedAt) isTakenBack = false;
    }
    if (data.erasure && !(data.erasure.settledAt && data.erasure.signedOutAt))
      await settle(userId, register(), stepEffects);
    expectEnded();
  }

  async function takeBack() {
    if (data.erasure?.requestedAt && !data.erasure.settledAt) await settleConsents(userId, register(), stepEffects);
    const { requestedAt = null } = data.erasure ?? {};
    // All requests ever made: a restored table may have forgotten some.
    for (const each of new Set([...asked.keys(), requestedAt])) {
      if (each !== null && !decisions.has(each)) {
        if (now + offset >= Date.parse(asked.get(each)?.graceEndsAt ?? '')) return;
        decide(each, 'restored');
      }
      if (decisions.get(each)?.decision === 'closing') return;
    }
    const after = data.erasure && restoreAccount(data.erasure, new Date(now));
    if (!after) return;
    const isNew = after !== data.erasure;
    keep(after);
    if (isNew) isTakenBack = true;
  }

  const isoNow = () => new Date(now).toISOString();
  const takenBack = () => takenBackIn(decisions, new Map([...asked].map(([time, { at }]) => [time, at])));

  /** No record is later than the end of a request that was answered. */
  function expectEnded() {
    const { endedAt = null, settledAt = null } = data.erasure ?? {};
    if (!settledAt || data.lastRecordAt === null) return;
    expect(endedAt ?? '').not.toBe('');
    expect((endedAt ?? '') >= data.lastRecordAt).toBe(true);
    expect(endAfter(data.lastRecordAt, accountOf(data.erasure ?? nothing(userId))?.ends ?? [])).not.toBe(null);
  }

  /** The gate, and the guards of every write. */
  const isOpen = () => now < tokenEndsAt && !data.erasure?.requestedAt;

  const world = {
    request: (effects: number | null = null) =>
      untilCrash(async () => {
        if (now < tokenEndsAt) await request();
      }, effects),
    sweep: (effects: number | null = null) =>
      // After a restore the schedules are off until the replay.
      untilCrash(async () => {
        if (!isReplayDue && isDue(queueOf('sleepcare'), Math.max(now, now + offset)))
          await eraseStep(userId, register(), stepEffects);
      }, effects),
    release: (effects: number | null = null) =>
      untilCrash(async () => {
        if (!isReplayDue && isDue(releaseQueue, Math.max(now, now + offset)))
          await releaseStep(userId, register(), stepEffects);
      }, effects),
    hold: (effects: number | null = null) =>
      untilCrash(async () => {
        const by = { since: new Date(now).toISOString(), by: 'admin', reason: 'case' };
        const after = held(data.erasure, { userId, application: 'sleepcare', ...by });
        if (!after) return;
        // Erased data stays erased, whatever a restore has forgotten.
        const isEarly = !after.begunAt && !log.some(({ state }) => state.begunAt);
        keep(after);
        if (isEarly) isFrozen = true;
      }, effects),
    lift: (effects: number | null = null) =>
      untilCrash(async () => {
        isFrozen = false;
        if (data.erasure) keep(lifted(data.erasure, new Date(now)));
      }, effects),
    /** The user pool says which users are enabled. */
    signIn: () => {
      if (pool === 'enabled') tokenEndsAt = now + tokenMs;
    },
    /** GET /users/me */
    meet: () => {
      if (isOpen() && data.profile === 'none') data = { ...data, profile: 'present' };
    },
    agree: () => {
      if (!isOpen()) return;
      const ends = (data.erasure && accountOf(data.erasure)?.ends) ?? [];
      const last = [data.lastRecordAt ?? '', ends.at(-1) ?? ''].toSorted().at(-1) ?? '';
      const at = Math.max(now + offset, last === '' ? 0 : Date.parse(last) + 1);
      const lastRecordAt = new Date(at).toISOString();
      data = { ...data, lastRecordAt };
      // A consent that is given again counts.
      expect(endAfter(lastRecordAt, ends)).toBe(null);
    },
    takeBack: (effects: number | null = null) =>
      untilCrash(async () => {
        if (now < tokenEndsAt) await takeBack();
      }, effects),
    pass: (ms: number) => {
      now += ms;
    },
    travel: (ms: number) => {
      offset = ms;
    },
    backUp: () => {
      if (!isReplayDue) backup = data;
    },
    restore: () => {
      if (!backup) return;
      data = backup;
      isReplayDue = true;
    },
    replay: (effects: number | null = null) =>
      untilCrash(async () => {
        const states = log.map(({ state }) => state);
        const after = replayed(data.erasure, states, takenBack(), { now: new Date(now) });
        if (after) keep(after);
        isReplayDue = false;
      }, effects),
    /** Runs everything until nothing is due any more. */
    settle: async () => {
      if (isReplayDue) await world.replay();
      for (let round = 0; round < 10; round += 1) {
        // A run that had begun has ended.
        if (round === 5) now += 17 * minute;
        await world.sweep();
        await world.release();
      }
      // A row for the next step, and no other.
      const next = data.erasure && dueKeyOf(data.erasure);
      expect(data.due).toEqual(next ? [next] : []);
      const due = data.erasure && stepDue(data.erasure, { now: new Date(now), businessNow: new Date(now + offset) });
      expect(due).toBe(null);
    },
    see: () => ({
      ...data,
      isReplayDue,
      isDecidedBack: takenBack()(data.erasure?.requestedAt ?? '~'),
      pool,
      isBucketSigned,
      isFrozen,
      isTakenBack,
      wasErased,
      wasReleased,
      now,
      tokenEndsAt,
    }),
  };
  return world;
}

export type World = ReturnType<typeof openWorld>;
