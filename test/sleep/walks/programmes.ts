import { expect } from 'vitest';
import { texts as readUnits, rightAnswers, unitPath } from '../../learning/people.ts';
import { releaseOf } from '../therapy-people.ts';
import { essOfWeekTwo, tonight } from './guided.ts';
import { keepDiary } from './nights.ts';
import { type Says, says } from './says.ts';
import { station, task } from './station.ts';
import {
  answerStart,
  both,
  end,
  entitle,
  newWalk,
  releaseFor,
  releaseOwn,
  screen,
  type Walk,
  type Walker,
  type Walks,
} from './walk.ts';

/** Walks in which a programme ends, or two of them are active at once. */

/** The text on the sleep window, in the patient's language, after everything before it is done. */
async function courseText({ person, language }: Walker): Promise<string> {
  const done = [...readUnits, 'check', 'bed-means-sleep'];
  for (const name of done) {
    const body = name === 'check' ? { answers: rightAnswers } : {};
    expect((await person.ask('POST', `${unitPath(name)}/complete`, { body })).status).toBe(200);
  }
  const { body } = await person.ask('GET', `${unitPath('less-time-in-bed')}?locale=${language}`);
  return (await fetch(body.text.url)).text();
}

/** Who releases a window, by the text of the course. */
export async function readsOf(walk: Walk, who: 'physicianLooks' | 'nobodyLooks'): Promise<void> {
  const other = who === 'nobodyLooks' ? 'physicianLooks' : 'nobodyLooks';
  await both(walk, async (walker) => {
    const text = await courseText(walker);
    expect(text).toContain(says[walker.language][who]);
    expect(text).not.toContain(says[walker.language][other]);
  });
}

/** The entitlement ends while a window is active. */
export const leaving = {
  isOver: (walks: Walks, walk: Walk, more: (texts: Says) => { messages?: string[] } = () => ({})) =>
    station(walks, walk, (texts) => ({
      ...more(texts),
      ...{ status: 'ended', text: texts.ended, waitingFor: texts.tooFewNights, release: [texts.byPhysician] },
      ...{ tasks: [task('ended', texts.ended)], diary: null },
    })),
  /** Day 8. */
  ends: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => end(walker, 'insomnia-self-guided'));
    await leaving.isOver(walks, walk, (texts) => ({ messages: [texts.ess('2026-10-29')] }));
    await both(walk, async ({ person }) => {
      const replaced = await releaseOf(walks, person, { replaces: 1, minutes: 400 });
      expect(replaced).toMatchObject({ status: 409, body: { code: 'SLEEP_WINDOW_CHANGED' } });
    });
  },
  /** Day 12: a later code does not bring the window back, and the next one is a first one. */
  comesBack: async (walks: Walks, walk: Walk) => {
    await leaving.isOver(walks, walk);
    await both(walk, async (walker) => {
      await entitle(walks, walker, 'insomnia-self-guided');
      await answerStart(walker, 'insomnia-self-guided');
      await keepDiary(walker, walks.dateOf(12), 5);
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'none', text: texts.over, release: [] },
      tasks: [task('proposal-to-release', texts.proposed)],
    }));
    await both(walk, async (walker) => {
      expect(await releaseOwn(walker)).toMatchObject({ sequence: 2, because: [{ code: 'FIRST_WINDOW' }] });
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 12, 370), waitingFor: texts.weekNotOver },
    }));
  },
};

/** A physician's programme and the self-guided one at once. */
export const twoProgrammes = {
  begins: async (walks: Walks): Promise<Walk> => {
    const walk = await newWalk(walks);
    await both(walk, async (walker) => {
      await entitle(walks, walker, 'insomnia-basic');
      await entitle(walks, walker, 'insomnia-self-guided');
      await keepDiary(walker, walks.dateOf(0), 5);
      await screen(walker);
    });
    return walk;
  },
  /** Day 0: the patient sees no proposal, and releases nothing. */
  isPrescribed: async (walks: Walks, walk: Walk) => {
    await station(walks, walk, (texts) => ({
      ...{ status: 'none', release: [texts.byPhysician] },
      due: ['self-guided-start: phq-9 isi ess until 2026-10-23', 'sleep-start: phq-9 gad-7 isi ess until 2026-10-23'],
      // Both bundles have the same name and the same last day: it is said once.
      messages: [texts.start('2026-10-23')],
    }));
    await both(walk, async (walker) => {
      await answerStart(walker, 'insomnia-basic');
      await answerStart(walker, 'insomnia-self-guided');
      const { proposal } = (await walks.doctor.ask('GET', `/users/${walker.person.user}/sleep/window`)).body;
      const own = await walker.person.ask('POST', '/sleep/window/release', {
        body: { proposalId: proposal.proposalId },
      });
      expect(own).toMatchObject({ status: 409, body: { code: 'SLEEP_WINDOW_BY_PHYSICIAN' } });
      expect(await releaseFor(walks, walker)).toMatchObject({ sequence: 1, minutes: 360 });
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 0), waitingFor: texts.weekNotOver, release: [texts.byPhysician] },
    }));
  },
  /** Day 8. */
  goesOn: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => keepDiary(walker, walks.dateOf(8), 5));
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 8), release: [texts.byPhysician] },
      ...{ due: [essOfWeekTwo], messages: [texts.ess('2026-10-29')] },
    }));
    await readsOf(walk, 'physicianLooks');
  },
  /** Day 9: the physician's programme ends, and the other goes on with the window. */
  isAlone: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      await keepDiary(walker, walks.dateOf(9), 1);
      await end(walker, 'insomnia-basic');
    });
    await station(walks, walk, (texts) => ({
      ...{ status: 'active', times: tonight(walks, 9), release: [texts.measurementNeeded], due: [essOfWeekTwo] },
      tasks: [task('measurement-due', texts.measurementNeeded, 'ess')],
    }));
    await readsOf(walk, 'nobodyLooks');
  },
};
