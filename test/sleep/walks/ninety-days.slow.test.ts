import { afterAll, test } from 'vitest';
import {
  answersStart,
  begins,
  beginsWindow,
  type Course,
  goesThrough,
  isOver,
  reads,
  remindedAtMostTwiceAWeek,
  spring,
  weeks,
} from './ninety-days.ts';
import { openWalks, remind } from './walk.ts';

/** Both programmes from the first day to the last, with the time machine: each in German and English. */

const courses: Course[] = [];
const walks = await openWalks('2027-02-15');
afterAll(() => walks?.close());

test('day 0: the questionnaires of the start are asked, and answered', async () => {
  await walks.itIs(0);
  for (const programmeId of ['insomnia-basic', 'insomnia-self-guided'] as const) {
    courses.push(await begins(walks, programmeId));
  }
  await remind(walks);
  for (const course of courses) await answersStart(walks, course);
});

test('day 5: the first window, by a physician or after the screening', async () => {
  await walks.itIs(5);
  await remind(walks);
  for (const course of courses) await beginsWindow(walks, course);
});

/** What happens in some weeks only, by day. */
const more: Readonly<Record<number, (course: Course) => Promise<void>>> = {
  12: reads,
  40: (course) => spring.evening(walks, course),
  47: spring.later,
};

test.each(weeks)('day $day: the next window, after what is asked before it', async (week) => {
  await walks.itIs(week.day);
  await remind(walks);
  for (const course of courses) {
    await goesThrough(walks, course, week);
    await more[week.day]?.(course);
  }
});

test('day 91: the programmes have ended, and the windows with them', async () => {
  await walks.itIs(91);
  await remind(walks);
  for (const course of courses) {
    await isOver(walks, course);
    await remindedAtMostTwiceAWeek(course);
  }
});
