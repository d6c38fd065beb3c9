import { expect, test, vi } from 'vitest';
import { nothing } from '../../functions/erasure/rules/erasure.ts';
import type { Erasure } from '../../functions/erasure/rules/state.ts';
import { type Erasing, eraseStep, NotAsked, type Register } from '../../functions/erasure/workflows/take-step.ts';

/** A request in the table that somebody planted as if it had just been made. */

function planted(evidence: Partial<Erasing>) {
  const requestedAt = '2026-11-01T00:00:00.000Z';
  let state: Erasure = { ...nothing('u'), application: 'sleepcare', requestedAt, endedAt: requestedAt, revision: 9 };
  const register: Register = {
    read: async () => state,
    change: async (_userId, rule) => {
      state = rule(state);
      return state;
    },
    changeUnheld: async () => null,
    now: () => new Date('2026-11-02T00:00:00.000Z'),
    businessNow: new Date('2026-11-02T00:00:00.000Z'),
  };
  const endSessions = vi.fn();
  const effects = { lastRecordAt: async () => null, endSessions, isSeen: async () => true, ...evidence } as Erasing;
  return { step: () => eraseStep('u', register, effects), endSessions, state: () => state };
}

test('that nobody made ends no session and no consent', async () => {
  const isSeen = () => Promise.reject(new NotAsked());
  const { step, endSessions, state } = planted({ isSeen });
  const before = state();
  await expect(step()).rejects.toThrow(NotAsked);
  expect([endSessions.mock.calls, state()]).toEqual([[], before]);
});

test('that its user took back long ago is named where the account is open, and ends no session and no consent', async () => {
  const ends = ['2026-05-01T00:00:00.000Z'];
  const readAccount = async () => ({ isClosed: false, ends });
  const { step, endSessions, state } = planted({ isTakenBack: async () => true, readAccount });
  await expect(step()).rejects.toThrow(NotAsked);
  expect(endSessions).not.toHaveBeenCalled();
  expect(state()).toMatchObject({ requestedAt: null, restoredAt: null, ends });
});

test('an honest one that was taken back before it was settled is settled, and then open again', async () => {
  const { step, endSessions, state } = planted({
    isTakenBack: async () => true,
    readAccount: async () => ({ isClosed: true, ends: [] }),
  });
  expect(await step()).toBe('settle');
  expect(endSessions).toHaveBeenCalledOnce();
  expect(state()).toMatchObject({ requestedAt: null, settledAt: null, restoredAt: '2026-11-02T00:00:00.000Z' });
});
