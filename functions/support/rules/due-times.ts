import { afterBusinessMinutes, type BusinessHours } from './business-hours.ts';
import { hoursIn } from './default-hours.ts';
import type { Priority } from './ticket.ts';

/** When a ticket's first answer and its solution are due. Pure. */

export type DueTimes = { readonly firstAnswerDueAt: string; readonly solutionDueAt: string };

/** Hours: of business, where they are not of the clock. A day of business has eight. */
const dueWithin: Readonly<
  Record<Priority, { readonly firstAnswer: number; readonly solution: number; readonly by: 'clock' | 'business' }>
> = {
  urgent: { firstAnswer: 1, solution: 8, by: 'clock' },
  high: { firstAnswer: 4, solution: 16, by: 'business' },
  normal: { firstAnswer: 8, solution: 40, by: 'business' },
  low: { firstAnswer: 16, solution: 80, by: 'business' },
};

/** @param hours those of the site; where they leave nothing due, it is as if the site had none of its own */
export function dueTimes(from: Date, priority: Priority, hours: BusinessHours): DueTimes {
  const { firstAnswer, solution, by } = dueWithin[priority];
  const due = (count: number) => {
    const ms = count * 3_600_000;
    const open = (week: BusinessHours) => afterBusinessMinutes(from, count * 60, week);
    const at = by === 'business' ? (open(hours) ?? open(hoursIn(hours.timezone))) : null;
    return (at ?? new Date(from.getTime() + ms)).toISOString();
  };
  return { firstAnswerDueAt: due(firstAnswer), solutionDueAt: due(solution) };
}
