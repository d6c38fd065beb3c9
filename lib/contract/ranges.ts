import * as z from 'zod/mini';
import { CalendarDate, QueryInstant } from './fields.ts';
import { issue } from './issues.ts';

/**
 * The two forms of `from` and `to` in a query. Data that has a date is asked for by dates, and both belong to the range.
 * Lists by time are asked for by instants: from `from` on and before `to`. In both, `to` before `from` is 400.
 */

type Range = { from?: string | undefined; to?: string | undefined };

const dayMs = 86_400_000;

/** Both ends are included. */
function isWithin({ from, to }: Range, mostDays: number): boolean {
  if (from === undefined || to === undefined) return true;
  const days = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return days >= 1 && days <= mostDays;
}

/** For the schema of a query with dates. */
export function datesInOrder(mostDays: number) {
  return z.refine<Range>(
    (range) => isWithin(range, mostDays),
    issue('inconsistent', `must not be before from, and ${mostDays} days at most`, ['to']),
  );
}

export const dates = { from: CalendarDate, to: CalendarDate } as const;

export const optionalDates = { from: z.optional(CalendarDate), to: z.optional(CalendarDate) } as const;

/** For the schema of a query with instants. Their text is UTC, so it sorts by time. */
export const instantsInOrder = z.refine<Range>(
  ({ from, to }) => from === undefined || to === undefined || from <= to,
  issue('inconsistent', 'must not be before from', ['to']),
);

export const instants = { from: z.optional(QueryInstant), to: z.optional(QueryInstant) } as const;
