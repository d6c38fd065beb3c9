import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../runs.ts';
import { graceDays, minute, openWorld, type World } from './world.ts';

/**
 * The erasure's rules and steps in every order, with crashes between any two effects, holds, time travel and restored
 * backups. The world asserts that nothing goes too early; this file asserts what must be true at the end.
 */

const day = 24 * 60 * minute;
const year = 366 * day;

/** After how many effects a call crashes; mostly never. */
const effects = fc.option(fc.nat({ max: 6 }), { freq: 2, nil: null });
const crashing = [
  'request',
  'request',
  'sweep',
  'sweep',
  'release',
  'release',
  'hold',
  'lift',
  'lift',
  'takeBack',
  'replay',
] as const;
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ act: fc.constantFrom(...crashing), effects }) },
  {
    weight: 3,
    arbitrary: fc.record({ act: fc.constantFrom('signIn', 'signIn', 'meet', 'agree', 'agree', 'backUp', 'restore') }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      act: fc.constant('pass'),
      ms: fc.constantFrom(minute, 5 * minute, 15 * minute, 20 * minute, graceDays * day, graceDays * day, 11 * year),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('travel'), ms: fc.constantFrom(0, day, 11 * year) }) },
);
/** A restored backup forgets requests, but a replay does not: taking one back takes back all. */
const acts = (...plan: (Step['act'] | number)[]): [Step[]] => [
  plan.map((one) => (typeof one === 'number' ? { act: 'pass', ms: one } : { act: one })),
];
const forgotten = [
  acts('backUp', 'request', 'restore', 'request', 'replay', 'takeBack', 11 * year),
  acts('request', 'backUp', 'takeBack', 'request', 'restore', 'takeBack', 11 * year),
  acts('backUp', 'request', 11 * year, 'signIn', 'sweep', 'restore', 'request', 'takeBack'),
];

type Step = { act: keyof World; effects?: number | null; ms?: number };

async function take(world: World, { act, effects: until, ms }: Step): Promise<unknown> {
  return ms === undefined
    ? (world[act] as (effects?: number | null) => unknown)(until)
    : (world[act] as (ms: number) => unknown)(ms);
}

/** Without the count of changes. */
function seen(world: World) {
  const { erasure, now: _now, ...rest } = world.see();
  return { ...rest, erasure: erasure && { ...erasure, revision: 0 } };
}

test('nothing is deleted too early, nothing deleted comes back, and repetition changes nothing', async () => {
  const reached = { erased: 0, released: 0, frozen: 0, takenBack: 0, recorded: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step as fc.Arbitrary<Step>, { maxLength: 70, size: 'max' }), async (plan) => {
      const world = openWorld();
      world.signIn();
      let told: string | null = null;
      for (const one of plan as Step[]) {
        world.pass(1);
        const isDone = await take(world, one);
        const { erasure, now, tokenEndsAt, isReplayDue, isDecidedBack } = world.see();
        if (one.act === 'request' && isDone && erasure?.requestedAt && now < tokenEndsAt && !isReplayDue) {
          // Every later request keeps the times of the first.
          told ??= erasure.requestedAt;
          expect(erasure.requestedAt).toBe(told);
        }
        // Also where it crashed when that was decided.
        if (one.act === 'takeBack' && (!erasure?.requestedAt || isDecidedBack)) {
          reached.takenBack += Number(told !== null);
          told = null;
        }
      }
      await world.settle();

      const { erasure, profile, pool, expiry, isBucketSigned, isFrozen, wasErased, wasReleased } = world.see();
      if (wasErased) expect([profile, pool, erasure?.erasedAt]).toEqual(['tombstone', 'deleted', expect.any(String)]);
      if (erasure?.closedAt) expect(pool).not.toBe('enabled');
      if (!erasure?.requestedAt) expect(pool).toBe('enabled');
      if (wasReleased) expect([expiry, isBucketSigned]).toEqual([erasure?.recordsExpireAt, true]);
      if (isFrozen) expect(erasure).toMatchObject({ erasedAt: null, legalHold: { reason: 'case' } });
      // A request that was confirmed is carried out, unless it is held.
      if (told && !erasure?.legalHold) {
        world.travel(12 * year);
        await world.settle();
        world.pass(16 * minute);
        await world.settle();
        expect(world.see()).toMatchObject({ wasErased: true, profile: 'tombstone' });
      }

      const before = seen(world);
      await world.replay();
      await world.settle();
      await world.request();
      world.meet();
      world.agree();
      if (before.erasure?.requestedAt && !before.isDecidedBack) expect(seen(world)).toEqual(before);
      reached.erased += Number(wasErased);
      reached.released += Number(wasReleased);
      reached.frozen += Number(isFrozen);
      reached.recorded += Number(before.lastRecordAt !== null && before.erasure?.settledAt != null);
    }),
    { numRuns: runs(1500), examples: forgotten },
  );
  // A state that never occurred would prove nothing.
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(runs(1500) / 100);
});
