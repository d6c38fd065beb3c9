import { expect } from 'vitest';
import {
  type Erasure,
  expiryOf,
  held,
  lifted,
  requested,
  retentionYears,
  stepDue,
} from '../../functions/erasure/erasure.ts';
import { replayed } from '../../functions/erasure/replayed.ts';
import {
  closeAccess,
  type Erasing,
  eraseStep,
  type Register,
  type Releasing,
  releaseStep,
} from '../../functions/erasure/take-step.ts';

/** One user's world in memory, driven by the real rules and steps; each effect can be the last before a crash. */

export class Crash extends Error {}

export const minute = 60_000;
const tokenMs = 15 * minute;
const userId = 'user';

type Data = { erasure: Erasure | null; profile: 'none' | 'present' | 'tombstone'; expiry: string | null };

export function openWorld() {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  let offset = 0;
  let data: Data = { erasure: null, profile: 'none', expiry: null };
  let backup: Data | null = null;
  let isReplayDue = false;
  /** Effects until the crash; null for none. */
  let left: number | null = null;
  const log: Erasure[] = [];
  let pool: 'enabled' | 'disabled' | 'deleted' = 'enabled';
  let tokenEndsAt = 0;
  let isBucketSigned = false;
  /** A hold that was confirmed before the erasure had begun. */
  let isFrozen = false;
  let wasErased = false;
  let wasReleased = false;

  const effect = () => {
    if (left === 0) throw new Crash();
    if (left !== null) left -= 1;
  };
  /** At the decision: the clock may be set back before it is carried out. */
  const assertReleasable = ({ erasedAt }: Erasure) => {
    const kept = new Date(erasedAt ?? '');
    kept.setUTCFullYear(kept.getUTCFullYear() + retentionYears);
    expect(now + offset).toBeGreaterThanOrEqual(kept.getTime());
    expect(isFrozen).toBe(false);
  };
  const write = (after: Erasure) => {
    effect();
    const isKnown = data.erasure?.releasedAt || log.some(({ releasedAt }) => releasedAt);
    if (after.releasedAt && !isKnown) assertReleasable(after);
    const revision = Math.max(data.erasure?.revision ?? 0, after.revision) + 1;
    data = { ...data, erasure: { ...after, revision } };
  };
  const keep = (after: Erasure) => {
    if (after !== data.erasure) write(after);
    effect();
    if (data.erasure) log.push(data.erasure);
    return data.erasure;
  };
  const register = (): Register => ({
    read: async () => data.erasure,
    change: async (_id, rule) => data.erasure && keep(rule(data.erasure)),
    now: () => new Date(now),
    businessNow: new Date(now + offset),
  });
  const hands: Erasing & Releasing = {
    accessSeconds: 16 * 60,
    closeSignIn: async () => {
      effect();
      if (pool === 'enabled') pool = 'disabled';
    },
    eraseAccount: async () => {
      if (!wasErased) {
        expect(now).toBeGreaterThanOrEqual(tokenEndsAt);
        expect(isFrozen).toBe(false);
      }
      effect();
      data = { ...data, profile: 'tombstone' };
      effect();
      pool = 'deleted';
      wasErased = true;
    },
    seal: async () => {
      effect();
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

  /** @returns whether it came to its end */
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

  async function request() {
    const after = requested(data.erasure, { userId, application: 'sleepcare', now: new Date(now) });
    if (after !== data.erasure && data.profile === 'none') {
      // In one transaction with the state.
      const { profile } = data;
      data = { ...data, profile: 'tombstone' };
      try {
        write(after);
      } catch (error) {
        data = { ...data, profile };
        throw error;
      }
    }
    keep(data.erasure?.requestedAt ? data.erasure : after);
    if (!data.erasure?.closedAt) await closeAccess(userId, register(), hands);
  }

  const world = {
    request: (effects: number | null = null) =>
      untilCrash(async () => {
        if (now < tokenEndsAt) await request();
      }, effects),
    sweep: (effects: number | null = null) =>
      // After a restore the schedules are off until the replay.
      untilCrash(async () => {
        if (!isReplayDue) await eraseStep(userId, register(), hands);
      }, effects),
    release: (effects: number | null = null) =>
      untilCrash(async () => {
        if (!isReplayDue) await releaseStep(userId, register(), hands);
      }, effects),
    hold: (effects: number | null = null) =>
      untilCrash(async () => {
        const by = { since: new Date(now).toISOString(), by: 'admin', reason: 'case' };
        const after = held(data.erasure, { userId, application: 'sleepcare', ...by });
        if (!after) return;
        // What was erased is erased, whatever a restore has forgotten.
        const isEarly = !after.begunAt && !log.some(({ begunAt }) => begunAt);
        // Before the replay a hold that the backup has is confirmed, though it was lifted since: the replay lifts it again.
        const isSeen = !isReplayDue || after !== data.erasure;
        keep(after);
        if (isEarly && isSeen) isFrozen = true;
      }, effects),
    lift: (effects: number | null = null) =>
      untilCrash(async () => {
        isFrozen = false;
        if (data.erasure) keep(lifted(data.erasure, new Date(now)));
      }, effects),
    /** The user pool answers who is enabled. */
    signIn: () => {
      if (pool === 'enabled') tokenEndsAt = now + tokenMs;
    },
    /** GET /users/me */
    meet: () => {
      if (now < tokenEndsAt && data.profile === 'none') data = { ...data, profile: 'present' };
    },
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
        const after = replayed(data.erasure, log);
        if (after) keep(after);
        isReplayDue = false;
      }, effects),
    /** Runs everything until nothing is due any more. */
    settle: async () => {
      if (isReplayDue) await world.replay();
      for (let round = 0; round < 10; round += 1) {
        await world.sweep();
        await world.release();
      }
      const due = data.erasure && stepDue(data.erasure, { now: new Date(now), businessNow: new Date(now + offset) });
      expect(due).toBe(null);
    },
    see: () => ({ ...data, isReplayDue, pool, isBucketSigned, isFrozen, wasErased, wasReleased, now, tokenEndsAt }),
  };
  return world;
}

export type World = ReturnType<typeof openWorld>;
