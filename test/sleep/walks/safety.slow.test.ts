import { afterAll, beforeAll, describe, test } from 'vitest';
import { inBerlin, keepDiary } from './nights.ts';
import { station, task } from './station.ts';
import { answerStart, both, entitle, newWalk, openWalks, releaseOwn, remind, screen, type Walk, type Walks } from './walk.ts';

/** Self-guided patients whom no physician looks at, day by day, with the time machine: each in German and English. */

let walks: Walks;
beforeAll(async () => {
  walks = await openWalks('2026-10-16');
});
afterAll(() => walks.close());

async function itIs(day: number) {
  await walks.itIs(day);
  await remind(walks);
}

/** The first window of everybody: from one o'clock to seven, for there were six hours of sleep. */
const tonight = (day: number): [string, string] => [
  inBerlin(walks.dateOf(day + 1), '01:00'),
  inBerlin(walks.dateOf(day + 1), '07:00'),
];

/** Two patients who release their first window today. */
async function began(): Promise<Walk> {
  const walk = await newWalk(walks);
  await both(walk, async (walker) => {
    await entitle(walks, walker, 'insomnia-self-guided');
    await keepDiary(walker, walks.dateOf(0), 5);
    await screen(walker);
    await answerStart(walker, 'insomnia-self-guided');
    await releaseOwn(walker);
  });
  return walk;
}

let people: Record<'silent', Walk>;

test('day 0: they answer what is asked, and release the first window', async () => {
  await walks.itIs(0);
  people = { silent: await began() };
  await remind(walks);
  for (const walk of Object.values(people)) {
    await station(walks, walk, (says) => ({
      ...{ status: 'active', times: tonight(0), waitingFor: says.weekNotOver },
    }));
  }
});

describe('who never answers the scale again', () => {
  test('day 15: it is due, and the window stays', async () => {
    await itIs(15);
    await station(walks, people.silent, (says) => ({
      ...{ status: 'measurement-due', times: tonight(15), text: says.measurementDue, waitingFor: says.tooFewNights },
      ...{ tasks: [task('measurement-due', says.measurementDue, 'ess')], diary: 'missing' },
      due: ['window-mood: phq-9 until 2026-11-05', 'window-sleepiness: ess until 2026-11-05'],
      messages: [`${says.mood('2026-11-05')}\n${says.ess('2026-11-05')}`],
    }));
  });

  test('day 22: it is paused', async () => {
    await itIs(22);
    await station(walks, people.silent, (says) => ({
      ...{ status: 'suspended', text: says.paused, because: [says.missing], waitingFor: says.tooFewNights },
      tasks: [task('paused', says.paused), task('measurement-due', says.missing, 'ess')],
      ...{ diary: 'missing', due: ['window-sleepiness: ess until 2026-11-12'] },
      messages: [says.ess('2026-11-12')],
    }));
  });
});
