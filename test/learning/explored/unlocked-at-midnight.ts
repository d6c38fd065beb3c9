import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import type { Call, End, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { codeOf, course, published } from './course.ts';

/** A unit is unlocked on the second day of an entitlement: two phones try it around midnight, and one goes on with it. */

/** In Berlin. */
const midnight = '2026-03-01T23:00:00.000Z';
/** Programmes unlock this course. */
const courseId = 'sleep-basics';
const unitId = `${courseId}.text`;
const params = { unitId };
function unitOfDay({ rows }: End) {
  return rows('LearningProgress')[0]?.units[unitId];
}

function attempts({ calls }: End): Call[] {
  return calls.filter((call) => !isOpen(call));
}

export const unlockedAtMidnight: Scenario = {
  name: 'unlocked-at-midnight',
  domain: 'learning',
  says: 'Two phones begin a unit around the midnight that unlocks it, and the clock goes back afterwards.',
  at: Date.parse(midnight) - 20_000,
  setUp: async ({ put }) => {
    const edition = course('1', { right: 'a', unlock: { day: 1 }, of: courseId });
    await put('Courses', ...published(edition, 1));
    await put('Entitlements', {
      userId: patient.userId,
      entitlementId: 'entitlement-1',
      programmeId: 'insomnia-basic',
      startsAt: '2026-02-28T23:30:00.000Z',
      endsAt: '2026-06-01T00:00:00.000Z',
      redeemedAt: '2026-02-28T23:30:00.000Z',
    });
  },
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putUnitProgress', { params, body: { position: 10, percent: 10 } });
        await insist('completeUnit', { params });
      },
    },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('putUnitProgress', { params, body: { position: 20, percent: 20 } });
        await insist('putUnitProgress', { params, body: { position: 30, percent: 30 } });
      },
    },
  },
  consumers: ['publishLearningEvents'],
  faults: { most: 3 },
  clockMoves: [30_000, -30_000],
  invariants: {
    'nothing is begun before its day': (end) => {
      for (const { before, after } of end.changes('LearningProgress'))
        if (before === null) assert.ok(String(after?.updatedAt) >= midnight, String(after?.updatedAt));
    },
    'what was begun is not locked again': (end) => {
      const begun = attempts(end).filter(({ answer }) => answer.status === 200);
      for (const call of attempts(end)) {
        if (call.answer.status === 200) continue;
        assert.equal(codeOf(call), 'UNIT_LOCKED');
        assert.ok(!begun.some(({ ended }) => ended <= call.begun), `${call.client} is locked out of what was begun`);
      }
    },
    'what was answered as stored is there, and nothing else': (end) => {
      const unit = unitOfDay(end);
      const done = attempts(end).filter(({ answer }) => answer.status === 200);
      const open = end.calls.filter(isOpen);
      if (done.length === 0 && open.length === 0) assert.equal(unit, undefined);
      const of = (calls: readonly Call[]) =>
        calls.map(({ request }) => Number((request.body as { position?: number } | undefined)?.position ?? 0));
      const position = unit?.position ?? 0;
      assert.ok(position >= Math.max(0, ...of(done)));
      assert.ok([0, ...of(done), ...of(open)].includes(position));
      if (done.some(({ operation }) => operation === 'completeUnit')) assert.notEqual(unit?.completedAt, null);
    },
    'a completion is told once': (end) => {
      const told = new Set(end.outside.events.map(({ detail }) => JSON.stringify(detail)));
      assert.equal(told.size, unitOfDay(end)?.completedAt ? 1 : 0);
    },
  },
};
