import { expect } from 'vitest';
import { essOfWeekTwo, tonight } from './guided.ts';
import { keepDiary, write } from './nights.ts';
import { type Says, says } from './says.ts';
import { station, task } from './station.ts';
import { amendSleepiness, answer, both, releaseFor, releaseOwn, type Walk, type Walker, type Walks } from './walk.ts';

/** Walks of patients who are sleepy by day. */

/** From the third day after the sign on. */
const canAnswer = (texts: Says) => ({
  tasks: [task('paused', texts.paused), task('measurement-due', texts.answerNow, 'ess')],
});

type More = Partial<ReturnType<Parameters<typeof station>[2]>>;

/** Paused by sleepiness, without a diary of these days. */
const isPaused = (walks: Walks, walk: Walk, more: (texts: Says) => More = () => ({})) =>
  station(walks, walk, (texts) => ({
    ...{ status: 'suspended', text: texts.paused, because: [texts.sleepy], waitingFor: texts.tooFewNights },
    ...{ tasks: [task('paused', texts.paused)], diary: 'missing' },
    ...more(texts),
  }));

/** In the first days after the message of week two. */
const isReminded = (texts: Says) => ({ messages: [texts.ess('2026-10-29')] });

async function refused({ person }: Walker, because: string): Promise<void> {
  const body = { proposalId: '11111111-1111-8111-8111-111111111111' };
  const { status, body: error } = await person.ask('POST', '/sleep/window/release', { body });
  expect([status, error.detail?.because]).toEqual([409, [because]]);
}

/** 11 in the second week, and 8 on the next morning. */
export const eleven = {
  /** Day 8. */
  answers: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => answer(walker, 'ess', 11, 'window-sleepiness'));
    await isPaused(walks, walk, isReminded);
  },
  /** Day 9. */
  nextMorning: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => answer(walker, 'ess', 8));
    await isPaused(walks, walk);
  },
  /** Day 12. */
  stillPaused: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => keepDiary(walker, walks.dateOf(12), 5));
    await isPaused(walks, walk, (texts) => ({ ...canAnswer(texts), waitingFor: texts.sleepy, diary: 'written' }));
    await both(walk, (walker) => refused(walker, 'SLEEPINESS'));
  },
  /** Day 12: four days after the sign. */
  ends: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => answer(walker, 'ess', 8));
    await station(walks, walk, (texts) => ({
      ...{ status: 'suspended', text: texts.paused, because: [texts.notResumed], release: [] },
      tasks: [task('paused', texts.paused), task('proposal-to-release', texts.proposed)],
    }));
    await both(walk, async (walker) => {
      // Six hours in four of the five nights; in that of the clock change, seven.
      const because = [{ code: 'FIRST_WINDOW', text: says[walker.language].first }];
      expect(await releaseOwn(walker)).toMatchObject({ sequence: 2, minutes: 370, bedTime: '00:50', because });
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 12, 370), waitingFor: texts.weekNotOver },
    }));
  },
  /** Day 12: now it is the diary that says so. */
  again: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => write(walker, walks.dateOf(12), { noddedOff: true }));
    await isPaused(walks, walk, (texts) => ({ waitingFor: texts.sleepy, diary: 'written' }));
  },
  /** Day 15. */
  byPhysician: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      await keepDiary(walker, walks.dateOf(15), 3);
      await answer(walker, 'ess', 4);
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'suspended', text: texts.paused, because: [texts.notResumed], release: [texts.sleepyAgain] },
      tasks: [task('paused', texts.paused)],
    }));
    await both(walk, async (walker) => {
      await refused(walker, 'SLEEPY_AGAIN');
      expect(await releaseFor(walks, walker)).toMatchObject({ sequence: 3, because: [{ code: 'FIRST_WINDOW' }] });
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 15, 370), waitingFor: texts.weekNotOver, release: [] },
    }));
  },
  /** Day 22: the questionnaires count from the new first evening. */
  goesOn: (walks: Walks, walk: Walk) =>
    station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 22, 370), waitingFor: texts.tooFewNights, diary: 'missing' },
      ...{ due: ['window-sleepiness: ess until 2026-11-13'], messages: [texts.ess('2026-11-13')] },
    })),
};

/** In the diary, while the window that a physician released is active. */
export const atTheWheel = {
  /** Day 12: the diary would allow the next window. */
  nods: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => write(walker, walks.dateOf(12), { noddedOff: true }));
    await isPaused(walks, walk, (texts) => ({ waitingFor: texts.sleepy, diary: 'written', due: [essOfWeekTwo] }));
  },
  /** Day 15: neither a good answer nor the deletion of the entry brings the window back. */
  staysPaused: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      const { status } = await walker.person.ask('DELETE', `/sleep/entries/${walks.dateOf(12)}`);
      expect(status).toBe(200);
    });
    const asked = ['window-mood: phq-9 until 2026-11-05', 'window-sleepiness: ess until 2026-11-05'];
    await isPaused(walks, walk, (texts) => ({
      ...canAnswer(texts),
      due: asked,
      messages: [`${texts.mood('2026-11-05')}\n${texts.ess('2026-11-05')}`],
    }));
    await both(walk, (walker) => answer(walker, 'ess', 3, 'window-sleepiness'));
    await station(walks, walk, (texts) => ({
      ...{ status: 'suspended', text: texts.paused, because: [texts.notResumed], waitingFor: texts.tooFewNights },
      ...{ tasks: [task('paused', texts.paused)], diary: 'missing', due: asked.slice(0, 1) },
    }));
  },
};

/** Answers 5 and corrects it to 11. */
export const upwards = {
  /** Day 8. */
  corrects: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      corrected.set(walker, await answer(walker, 'ess', 5, 'window-sleepiness'));
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 8), waitingFor: texts.tooFewNights, diary: 'missing' },
      ...isReminded(texts),
    }));
    await both(walk, async (walker) => {
      corrected.set(walker, await amendSleepiness(walker, corrected.get(walker) ?? '', 11));
    });
    await isPaused(walks, walk);
  },
  /** Day 9: back again. */
  correctsAgain: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => amendSleepiness(walker, corrected.get(walker) ?? '', 4));
    await isPaused(walks, walk);
  },
};

/** Answers 11 and corrects it to 5: in the third week, after a window that was released on day 8. */
export const downwards = {
  /** Day 15. */
  corrects: async (walks: Walks, walk: Walk) => {
    const due = ['window-mood: phq-9 until 2026-11-05'];
    await both(walk, async (walker) => {
      const path = await answer(walker, 'ess', 11, 'window-sleepiness');
      await amendSleepiness(walker, path, 5);
    });
    await isPaused(walks, walk, (texts) => ({
      due,
      messages: [`${texts.mood('2026-11-05')}\n${texts.ess('2026-11-05')}`],
    }));
  },
  /** Day 22: a new answer ends it, and the next window is a first one. */
  answersAnew: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => answer(walker, 'ess', 5, 'window-sleepiness'));
    await station(walks, walk, (texts) => ({
      ...{ status: 'suspended', text: texts.paused, because: [texts.notResumed], waitingFor: texts.tooFewNights },
      ...{ tasks: [task('paused', texts.paused)], diary: 'missing', messages: [texts.ess('2026-11-12')] },
    }));
  },
};

/** The path of the answer that a patient corrects next. */
const corrected = new Map<Walker, string>();

/** Day 12, after the corrections: a new answer ends the suspension, and the patient needs a diary for another window. */
export async function answersAnew(walks: Walks, walk: Walk): Promise<void> {
  await isPaused(walks, walk, canAnswer);
  await both(walk, (walker) => answer(walker, 'ess', 5));
  await station(walks, walk, (texts) => ({
    ...{ status: 'suspended', text: texts.paused, because: [texts.notResumed], waitingFor: texts.tooFewNights },
    ...{ tasks: [task('paused', texts.paused)], diary: 'missing' },
  }));
}
