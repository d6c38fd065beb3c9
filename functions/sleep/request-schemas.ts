import * as z from 'zod/mini';
import { CalendarDate, WantedLocale } from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';

/** Schemas of requests that the patient's routes and the physicians' routes have in common. */

type Days = { from: string; to: string };

/** Both ends are included. */
const isAtMost = ({ from, to }: Days, most: number) => {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  return days >= 1 && days <= most;
};

export const daysOfEntries = z
  .object({ from: CalendarDate, to: CalendarDate })
  .check(
    z.refine<Days>(
      (days) => isAtMost(days, 100),
      issue('inconsistent', 'must not be before from, and 100 days at most', ['to']),
    ),
  );

export const daysOfReport = z
  .object({ from: CalendarDate, to: CalendarDate, locale: z.optional(WantedLocale) })
  .check(
    z.refine<Days>(
      (days) => isAtMost(days, 100),
      issue('inconsistent', 'must not be before from, and 100 days at most', ['to']),
    ),
  );

export const daysOfSummary = z
  .object({ from: CalendarDate, to: CalendarDate, by: z.optional(z.enum(['week', 'month'])) })
  .check(
    z.refine<Days>(
      (days) => isAtMost(days, 366),
      issue('inconsistent', 'must not be before from, and 366 days at most', ['to']),
    ),
  );

export const language = z.object({ 'accept-language': z.optional(z.string()) });
