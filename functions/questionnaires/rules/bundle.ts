import type { occurrenceStatuses } from '../schemas.ts';
import type { Texts } from './definition.ts';
import { addDays, dayMs, localDate, type Moment } from './local-date.ts';
import { nameBasedId } from './name-based-id.ts';

/**
 * Bundles: which questionnaires a patient should answer at which time. Dates are the patient's own; a window includes
 * both its ends.
 */

export type Window = {
  readonly windowId: string;
  /** Days after the day on which the entitlement starts, which is day 0. */
  readonly fromDay: number;
  readonly toDay: number;
};

export type Bundle = {
  readonly bundleId: string;
  readonly title: Texts;
  readonly questionnaireIds: string[];
  /** Null: always open, for everybody. */
  readonly programmeId: string | null;
  /** Empty if the bundle is always open. */
  readonly windows: Window[];
};

/** The fields of an entitlement that decide the schedule of a bundle. A revoked entitlement schedules nothing. */
export type Entitlement = {
  readonly entitlementId: string;
  readonly programmeId: string;
  readonly startsAt: string;
  readonly endsAt: string;
};

/**
 * An occurrence takes one response to each questionnaire. If it is always open, it takes another one after the first is
 * completed.
 */
export type Occurrence = {
  readonly occurrenceId: string;
  readonly bundle: Bundle;
  readonly entitlementId: string | null;
  readonly window: { readonly from: string; readonly to: string } | null;
  /** The present end of the entitlement. */
  readonly term: { readonly startsAt: string; readonly endsAt: string } | null;
};

export type Status = (typeof occurrenceStatuses)[number];

/** In the order of their windows; occurrences that are always open come first. */
export function occurrencesOf(
  bundles: readonly Bundle[],
  entitlements: readonly Entitlement[],
  zone: string,
): Occurrence[] {
  const found = bundles.flatMap((bundle) => {
    if (bundle.programmeId === null) {
      return [{ occurrenceId: idOf(bundle, 'always', ''), bundle, entitlementId: null, window: null, term: null }];
    }
    return entitlements
      .filter(({ programmeId }) => programmeId === bundle.programmeId)
      .flatMap((entitlement) => scheduled(bundle, entitlement, zone));
  });
  return found.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** The key by which occurrences are ordered. It is unique. */
export function placeOf({ window, bundle, term, occurrenceId }: Occurrence): string {
  return [window?.from ?? '', bundle.bundleId, term?.startsAt ?? '', occurrenceId].join(' ');
}

/** Everything that an entitlement unlocks ends with it. An entitlement without any duration unlocks nothing. */
function scheduled(bundle: Bundle, { entitlementId, ...term }: Entitlement, zone: string): Occurrence[] {
  const { startsAt, endsAt } = term;
  if (endsAt <= startsAt) return [];
  const first = localDate(new Date(startsAt), zone);
  const last = localDate(new Date(Date.parse(endsAt) - 1), zone);
  return bundle.windows.flatMap(({ windowId, fromDay, toDay }) => {
    const [from, end] = [addDays(first, fromDay), addDays(first, toDay)];
    if (from > last) return [];
    const window = { from, to: end < last ? end : last };
    return [
      {
        occurrenceId: idOf(bundle, windowId, entitlementId),
        bundle,
        entitlementId,
        window,
        term: { startsAt, endsAt },
      },
    ];
  });
}

function idOf({ bundleId }: Bundle, windowId: string, entitlementId: string): string {
  return nameBasedId(bundleId, windowId, entitlementId);
}

/**
 * The occurrences of a bundle that were open then, in their order. There can be more than one, if an entitlement starts
 * on the day on which the previous one ends.
 */
export function openOccurrences(
  occurrences: readonly Occurrence[],
  bundleId: string,
  moment: Moment,
): readonly Occurrence[] {
  return occurrences.filter((each) => {
    return each.bundle.bundleId === bundleId && !isBefore(each, moment) && !isOver(each, moment);
  });
}

function isBefore({ window }: Occurrence, { date }: Moment): boolean {
  return window !== null && date < window.from;
}

/** Over after the last day by the patient's calendar, or from the exact end of the entitlement on. */
export function isOver({ window, term }: Pick<Occurrence, 'window' | 'term'>, { date, instant }: Moment): boolean {
  return (window !== null && date > window.to) || (term !== null && instant >= term.endsAt);
}

export type Progress = 'draft' | 'completed';

/** @param progress the progress of the bundle's questionnaires that have a response */
export function statusOf(occurrence: Occurrence, progress: ReadonlyMap<string, Progress>, moment: Moment): Status {
  const states = occurrence.bundle.questionnaireIds.map((id) => progress.get(id));
  if (states.every((state) => state === 'completed')) return 'completed';
  if (isOver(occurrence, moment)) return 'missed';
  if (isBefore(occurrence, moment)) return 'upcoming';
  return states.some((state) => state !== undefined) ? 'in-progress' : 'due';
}

/** The status of one questionnaire in an occurrence. */
export function statusOfPart(whole: Occurrence, progress: Progress | undefined, moment: Moment): Status {
  if (progress === 'completed') return 'completed';
  if (isOver(whole, moment)) return 'missed';
  if (isBefore(whole, moment)) return 'upcoming';
  return progress === 'draft' ? 'in-progress' : 'due';
}

export type ReminderKind = 'start' | 'end';

/**
 * The reminder of a window that is due on a date, unless it was sent. The reminder of the start is due from the first
 * day on, because no run finds a patient who begins late on the first day. The reminder of the end is due on the day
 * before the last day. A short window has only the reminder of the start.
 */
export function reminderOn({ window }: Occurrence, date: string): ReminderKind | null {
  if (!window) return null;
  if (date === window.from) return 'start';
  const dayBefore = addDays(window.to, -1);
  if (date < window.from || date > dayBefore) return null;
  return date === dayBefore ? 'end' : 'start';
}

/**
 * The days after the start of an entitlement on which a bundle can send a reminder: all days of a window except the
 * last. All of them count, because a window that is cut by the end of the entitlement can end on any of them.
 */
export function remindingDays({ windows }: Bundle): number[] {
  const days = windows.flatMap(({ fromDay, toDay }) =>
    Array.from({ length: Math.max(1, toDay - fromDay) }, (_, index) => fromDay + index),
  );
  return [...new Set(days)].toSorted((one, other) => one - other);
}

/** Whether a bundle may send a reminder for an entitlement around a UTC date, in any time zone of its user. */
export function mayRemind(bundle: Bundle, entitlement: Entitlement, utcDate: string): boolean {
  // The window's UTC dates, the patient's own date of today and the last day of the entitlement may each differ by one
  // day.
  const dates = [-3, -2, -1, 0, 1, 2, 3].map((off) => addDays(utcDate, off));
  const endsAt = new Date(Date.parse(entitlement.endsAt) + dayMs).toISOString();
  return occurrencesOf([bundle], [{ ...entitlement, endsAt }], 'UTC').some((each) =>
    dates.some((date) => reminderOn(each, date)),
  );
}

export type BundleProblem = { readonly path: string; readonly message: string };

export function bundleProblems({ programmeId, windows }: Pick<Bundle, 'programmeId' | 'windows'>): BundleProblem[] {
  if ((programmeId === null) !== (windows.length === 0)) {
    return [{ path: 'windows', message: 'belong to a programme; without one a bundle is always open' }];
  }
  return windows.flatMap(({ windowId, fromDay, toDay }, index) => {
    const found: BundleProblem[] = [];
    if (toDay < fromDay) found.push({ path: `windows[${index}].toDay`, message: 'must not be before fromDay' });
    if (windows.findIndex((other) => other.windowId === windowId) < index) {
      found.push({ path: `windows[${index}].windowId`, message: 'is also the id of another window' });
    }
    // If two windows of one bundle were open at once, an answer could count for the wrong one.
    const overlaps = windows.slice(0, index).some((other) => fromDay <= other.toDay && other.fromDay <= toDay);
    if (overlaps) found.push({ path: `windows[${index}].fromDay`, message: 'is within another window' });
    return found;
  });
}
