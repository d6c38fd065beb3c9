import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answersStart,
  begins,
  beginsWindow,
  type Course,
  goesThrough,
  isOver,
  reads,
  remindedAtMostTwiceAWeek,
  weeks,
} from './ninety-days.ts';
import { both, openWalks, remind, type Walks } from './walk.ts';

/** Both programmes from the first day to the last, with the time machine: each in German and English. */

let walks: Walks;
const courses: Course[] = [];
beforeAll(async () => {
  walks = await openWalks('2027-02-15');
});
afterAll(() => walks?.close());

/** Each day a minute later, so that what is asked every seven days is asked again on the seventh day. */
const itIs = (day: number) => walks.itIs(day, day);

test('day 0: the questionnaires of the start are asked, and answered', async () => {
  await itIs(0);
  for (const programmeId of ['insomnia-basic', 'insomnia-self-guided'] as const) {
    courses.push(await begins(walks, programmeId));
  }
  await remind(walks);
  for (const course of courses) await answersStart(walks, course);
});

test('day 5: the first window, by a physician or after the screening', async () => {
  await itIs(5);
  await remind(walks);
  for (const course of courses) await beginsWindow(walks, course);
});

describe.each(weeks)('day $day', (week) => {
  beforeAll(async () => {
    await itIs(week.day);
    await remind(walks);
  });

  test('the next window, after what is asked before it', async () => {
    for (const course of courses) await goesThrough(walks, course, week);
  });

  test.runIf(week.day === 12)('the course says who looks at the window', async () => {
    for (const course of courses) await reads(course);
  });

  test.runIf(week.day === 40)('the night in which summer time begins is as long as the window', async () => {
    for (const { walk } of courses) {
      await both(walk, async ({ person }) => {
        const { tonight } = (await person.ask('GET', '/sleep/window')).body;
        expect(tonight).toMatchObject({ inBedAt: '2027-03-27T22:30:00.000Z', outOfBedAt: '2027-03-28T05:00:00.000Z' });
      });
    }
  });

  test.runIf(week.day === 47)('its middle is that of the elapsed time', async () => {
    for (const { walk } of courses) {
      await both(walk, async ({ person }) => {
        // Asleep from 22:40 to 05:00 by UTC: the middle is 01:50, which is 03:50 in Berlin.
        const { figures } = (await person.ask('GET', '/sleep/entries/2027-03-28')).body;
        expect(figures).toMatchObject({ midSleep: '03:50', timeInBedMinutes: 390, totalSleepMinutes: 370 });
      });
    }
  });
});

test('day 91: the programmes have ended, and the windows with them', async () => {
  await itIs(91);
  await remind(walks);
  for (const course of courses) {
    await isOver(walks, course);
    await remindedAtMostTwiceAWeek(course);
  }
});
