import { isToCome } from '../../../lib/contract/instant.ts';
import { type Broadcast, type Progress, statusOf } from './broadcast.ts';

/** How many messages to one group are posted at a time: many messages to one group do not delay other groups. Pure. */

export const mostUnderWay = 3;

/** One that hangs, for which an alarm tells, holds up its group for no longer. A group of 100,000 takes six minutes. */
const longestMs = 3_600_000;

export type UnderWay = Pick<Broadcast, 'broadcastId' | 'acceptedAt'>;
export type UnderWayRow = { readonly messages: readonly UnderWay[]; readonly revision: number };

/** Those that are not through. */
export function stillUnderWay(
  known: readonly UnderWay[],
  progress: ReadonlyMap<string, Progress>,
  realNow: Date,
): UnderWay[] {
  return known.filter(({ broadcastId, acceptedAt }) => {
    const found = progress.get(broadcastId);
    const isDone = found !== undefined && statusOf(found) === 'done';
    return !isDone && !isToCome(acceptedAt, realNow) && realNow.getTime() < Date.parse(acceptedAt) + longestMs;
  });
}
