import { expect } from 'vitest';
import { keepDiary, write } from './nights.ts';
import { says } from './says.ts';
import { station, task } from './station.ts';
import { answer, both, releaseOwn, type Walk, type Walks } from './walk.ts';

/** The week in which summer time ends: in the night before 2026-10-25, the hour from two to three comes twice. */
export const autumn = {
  /** Day 8, the evening before: up at seven by the wall clock, and in bed for six hours of elapsed time. */
  evening: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      await keepDiary(walker, walks.dateOf(8), 5);
      await answer(walker, 'ess', 6, 'window-sleepiness');
    });
    const times = ['2026-10-25T00:00:00.000Z', '2026-10-25T06:00:00.000Z'] as const;
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times, release: [], messages: [texts.ess('2026-10-29')] },
      tasks: [task('proposal-to-release', texts.proposed)],
    }));
    await both(walk, async (walker) => {
      // Exactly 80 % of the time in bed was sleep.
      const because = [{ code: 'EFFICIENCY_BETWEEN', text: says[walker.language].same }];
      expect(await releaseOwn(walker)).toMatchObject({ minutes: 360, bedTime: '01:00', risingTime: '07:00', because });
    });
    await station(walks, walk, (texts) => ({ status: 'active', times, waitingFor: texts.weekNotOver }));
  },
  /** Day 9: the middle of a night from 21:35 to 05:30 by UTC is 01:32, which is 02:32 in Berlin by then. */
  morning: async (walks: Walks, walk: Walk) => {
    const night = {
      ...{ inBedAt: '2026-10-24T21:30:00Z', lightsOffAt: '2026-10-24T21:30:00Z', sleepOnsetMinutes: 5 },
      ...{ awakenings: 0, wakeMinutes: 0, finalWakeAt: '2026-10-25T05:30:00Z', outOfBedAt: '2026-10-25T06:00:00Z' },
    };
    await both(walk, async (walker) => {
      const { person } = walker;
      await write(walker, '2026-10-25', night);
      expect((await person.ask('GET', '/sleep/entries/2026-10-25')).body.figures).toMatchObject({
        ...{ midSleep: '02:32', timeInBedMinutes: 510, totalSleepMinutes: 475 },
      });
      const { body } = await person.ask('GET', '/sleep/summary?from=2026-10-20&to=2026-10-25');
      // Five nights from 00:15 to 07:00 have their middle at 03:37:30; this one has it at 02:32:30.
      expect(body.midSleep.mean).toBe('03:27');
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: ['2026-10-26T00:00:00.000Z', '2026-10-26T06:00:00.000Z'] },
      waitingFor: texts.weekNotOver,
    }));
  },
};
