import { essOfWeekTwo, tonight } from './guided.ts';
import { station, task } from './station.ts';
import { answer, both, type Walk, type Walks } from './walk.ts';

/** Walks of patients who stop answering, or stop writing. */

/** Never answers the sleepiness scale again, nor anything else. */
export const neverAnswers = {
  due: (walks: Walks, walk: Walk) =>
    station(walks, walk, (says) => ({
      ...{ status: 'measurement-due', times: tonight(walks, 15), text: says.measurementDue },
      ...{ waitingFor: says.tooFewNights, release: [says.measurementNeeded], diary: 'missing' },
      tasks: [task('measurement-due', says.measurementDue, 'ess')],
      due: ['window-mood: phq-9 until 2026-11-05', 'window-sleepiness: ess until 2026-11-05'],
      messages: [says.ess('2026-10-29'), `${says.mood('2026-11-05')}\n${says.ess('2026-11-05')}`],
    })),
  paused: (walks: Walks, walk: Walk) =>
    station(walks, walk, (says) => ({
      ...{ status: 'suspended', text: says.paused, because: [says.missing] },
      ...{ waitingFor: says.tooFewNights, diary: 'missing' },
      tasks: [task('paused', says.paused), task('measurement-due', says.missing, 'ess')],
      ...{ due: ['window-sleepiness: ess until 2026-11-12'], messages: [says.ess('2026-11-12')] },
    })),
  /** Nothing was wrong but the silence: the window goes on. */
  answers: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => answer(walker, 'ess', 6, 'window-sleepiness'));
    await station(walks, walk, (says) => ({
      ...{ status: 'active', times: tonight(walks, 22), waitingFor: says.tooFewNights, diary: 'missing' },
    }));
  },
};

/** Answers all that is asked, but writes no diary any more. */
export const writesNothing = {
  weekTwo: async (walks: Walks, walk: Walk) => {
    await station(walks, walk, (says) => ({
      ...{ status: 'active', times: tonight(walks, 8), waitingFor: says.tooFewNights, diary: 'missing' },
      ...{ due: [essOfWeekTwo], messages: [says.ess('2026-10-29')] },
    }));
    await both(walk, (walker) => answer(walker, 'ess', 7, 'window-sleepiness'));
  },
  weekThree: async (walks: Walks, walk: Walk) => {
    await station(walks, walk, (says) => ({
      ...{ status: 'active', times: tonight(walks, 15), waitingFor: says.tooFewNights, diary: 'missing' },
      due: ['window-mood: phq-9 until 2026-11-05', 'window-sleepiness: ess until 2026-11-05'],
      messages: [`${says.mood('2026-11-05')}\n${says.ess('2026-11-05')}`],
    }));
    await both(walk, async (walker) => {
      await answer(walker, 'phq-9', 2, 'window-mood');
      await answer(walker, 'ess', 7, 'window-sleepiness');
    });
  },
  /** The window stays as it was, and no next one comes. */
  weekFour: (walks: Walks, walk: Walk) =>
    station(walks, walk, (says) => ({
      ...{ status: 'active', times: tonight(walks, 22), waitingFor: says.tooFewNights, diary: 'missing' },
      ...{ due: ['window-sleepiness: ess until 2026-11-12'], messages: [says.ess('2026-11-12')] },
    })),
};
