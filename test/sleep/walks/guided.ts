import { inBerlin, keepDiary } from './nights.ts';
import { station } from './station.ts';
import { answerStart, both, entitle, newWalk, releaseOwn, screen, type Walk, type Walks } from './walk.ts';

/** Self-guided patients who release their first window on day 0: six hours, because they slept for six hours. */

export async function began(walks: Walks): Promise<Walk> {
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

/** The night after this day: up at seven in Berlin, and in bed so many minutes before. */
export function tonight({ dateOf }: Pick<Walks, 'dateOf'>, day: number, minutes = 360): [string, string] {
  const outOfBedAt = inBerlin(dateOf(day + 1), '07:00');
  return [new Date(Date.parse(outOfBedAt) - minutes * 60_000).toISOString(), outOfBedAt];
}

export const beginsWell = (walks: Walks, walk: Walk) =>
  station(walks, walk, (says) => ({
    status: 'active',
    times: tonight(walks, 0),
    waitingFor: says.weekNotOver,
    release: [],
  }));

/** On day 8, what all of them have on their home screens and boards. */
export const essOfWeekTwo = 'window-sleepiness: ess until 2026-10-29';
