import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { onFlag } from '../therapy-people.ts';
import { essOfWeekTwo, tonight } from './guided.ts';
import { keepDiary } from './nights.ts';
import { station, task } from './station.ts';
import { answerHopeless, both, type Walk, type Walker, type Walks } from './walk.ts';

/** Item 9 of PHQ-9 is 1: somebody sees it, refers the patient, and clears it in the end. */

/** The ids of the flags. */
const flags = new Map<Walker, string>();

async function refused({ person }: Walker, because: string): Promise<void> {
  const { status, body } = await person.ask('POST', '/sleep/window/release', { body: { proposalId: randomUUID() } });
  expect([status, body.code, body.detail]).toEqual([409, 'SLEEP_WINDOW_SUSPENDED', { because: [because] }]);
}

const isSeen = (walks: Walks, walk: Walk) =>
  station(walks, walk, (says) => ({
    ...{ status: 'suspended', text: `${says.seen} ${says.paused}`, because: [says.seen], waitingFor: says.seen },
    ...{ tasks: [task('paused', `${says.seen} ${says.paused}`)], due: [essOfWeekTwo] },
  }));

async function ends(walks: Walks, walker: Walker, outcome: 'referred' | 'cleared'): Promise<void> {
  const path = `/users/${walker.person.user}/questionnaires/flags/${flags.get(walker)}/outcome`;
  expect((await walks.doctor.ask('POST', path, { body: { outcome } })).body).toMatchObject({ outcome });
}

export const flagged = {
  /** Day 8: the diary would allow the next window. */
  answers: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      await keepDiary(walker, walks.dateOf(8), 5);
      await answerHopeless(walker);
    });
    await station(walks, walk, (says) => ({
      ...{ status: 'suspended', text: `${says.lookFirst} ${says.paused}`, because: [says.lookFirst] },
      ...{ waitingFor: says.lookFirst, tasks: [task('paused', `${says.lookFirst} ${says.paused}`)] },
      ...{ due: [essOfWeekTwo], messages: [says.ess('2026-10-29')], tickets: [walks.site.siteId] },
    }));
    await both(walk, (walker) => refused(walker, 'OPEN_FLAG'));
  },
  /** Day 9: the ticket is off the lists, and nothing else has changed. */
  isAcknowledged: async (walks: Walks, walk: Walk) => {
    await both(walk, async (walker) => {
      await keepDiary(walker, walks.dateOf(9), 1);
      flags.set(walker, await onFlag(walks, walker.person, 'acknowledge'));
    });
    await isSeen(walks, walk);
    await both(walk, (walker) => refused(walker, 'FLAG_SEEN'));
    await both(walk, (walker) => ends(walks, walker, 'referred'));
    await isSeen(walks, walk);
  },
  /** Day 12. */
  isCleared: async (walks: Walks, walk: Walk) => {
    await both(walk, (walker) => keepDiary(walker, walks.dateOf(12), 3));
    await isSeen(walks, walk);
    await both(walk, (walker) => ends(walks, walker, 'cleared'));
    await station(walks, walk, (says) => ({
      ...{ status: 'active', times: tonight(walks, 12), release: [says.measurementNeeded], due: [essOfWeekTwo] },
      tasks: [task('measurement-due', says.measurementNeeded, 'ess')],
    }));
  },
};
