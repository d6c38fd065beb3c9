import { addDays, minuteOfClock } from './dates.ts';
import type { Standing } from './standing.ts';
import { type Language, tonightTextOf } from './tonight-texts.ts';
import { instantOf } from './zone.ts';

/** What a patient is to do tonight: the times of the window, or what to do without them. Pure. */

export type Tonight = {
  readonly inBedAt: string | null;
  readonly outOfBedAt: string | null;
  readonly text: string | null;
};

const minuteMs = 60_000;

type Shown = Pick<Standing, 'current' | 'status' | 'suspended' | 'isOver' | 'today' | 'zone'>;

/**
 * The next night of a window, or the present one until its rising time. Null if there is no window and nothing to say
 * about it.
 */
export function tonightOf(shown: Shown, to: Language, now: Date): Tonight | null {
  const { current, status, today, zone } = shown;
  const text = tonightTextOf(shown, to);
  if (!current && text === null) return null;
  const isFollowed = status === 'active' || status === 'measurement-due';
  if (!current || !isFollowed || today === null || zone === null) return { inBedAt: null, outOfBedAt: null, text };
  const minute = minuteOfClock(current.risingTime);
  const risesAt = (date: string) => instantOf({ date, minute }, zone);
  const isOver = risesAt(today) <= now.getTime() || today <= current.from;
  const outOfBed = risesAt(isOver ? addDays(today, 1) : today);
  return {
    inBedAt: new Date(outOfBed - current.minutes * minuteMs).toISOString(),
    outOfBedAt: new Date(outOfBed).toISOString(),
    text,
  };
}
