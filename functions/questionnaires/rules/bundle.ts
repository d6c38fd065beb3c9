import type { occurrenceStatuses } from '../schemas.ts';
import type { Texts } from './definition.ts';
import { addDays, dayMs, localDate, type Moment } from './local-date.ts';
import { nameBasedId } from './name-based-id.ts';

/** Bundles: which questionnaires are to be answered when. Dates are the patient's own; a window's both ends are in it. */

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
  /** None where it is always open. */
  readonly windows: Window[];
};

/** What of an entitlement a bundle is scheduled by; one that was revoked is none. */
export type Entitlement = {
  readonly entitlementId: string;
  readonly programmeId: string;
  readonly startsAt: string;
  readonly endsAt: string;
};

/** Each takes one response to each questionnaire; one that is always open takes another once that is completed. */
export type Occurrence = {
  readonly occurrenceId: string;
  readonly bundle: Bundle;
  readonly entitlementId: string | null;
  readonly window: { readonly from: string; readonly to: string } | null;
  /** Of the entitlement, as it stands now. */
  readonly term: { readonly startsAt: string; readonly endsAt: string } | null;
};

export type Status = (typeof occurrenceStatuses)[number];

/** In the order of their windows; what is always open comes first. */
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

/** By which occurrences are in order: no two have the same. */
export function placeOf({ window, bundle, term, occurrenceId }: Occurrence): string {
  return [window?.from ?? '', bundle.bundleId, term?.startsAt ?? '', occurrenceId].join(' ');
}

/** What an entitlement unlocks ends with it; one without any time unlocks nothing. */
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
 * The occurrences of a bundle that were open then, in their order. More than one where a further entitlement starts on the day on
 * which the one before ends.
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

/** After the last day where the patient is, or from the end of the entitlement on, to the millisecond. */
export function isOver({ window, term }: Pick<Occurrence, 'window' | 'term'>, { date, instant }: Moment): boolean {
  return (window !== null && date > window.to) || (term !== null && instant >= term.endsAt);
}

export type Progress = 'draft' | 'completed';

/** @param progress of the bundle's questionnaires that have a response */
export function statusOf(occurrence: Occurrence, progress: ReadonlyMap<string, Progress>, moment: Moment): Status {
  const states = occurrence.bundle.questionnaireIds.map((id) => progress.get(id));
  if (states.every((state) => state === 'completed')) return 'completed';
  if (isOver(occurrence, moment)) return 'missed';
  if (isBefore(occurrence, moment)) return 'upcoming';
  return states.some((state) => state !== undefined) ? 'in-progress' : 'due';
}

/** Of one questionnaire in an occurrence. */
export function statusOfPart(whole: Occurrence, progress: Progress | undefined, moment: Moment): Status {
  if (progress === 'completed') return 'completed';
  if (isOver(whole, moment)) return 'missed';
  if (isBefore(whole, moment)) return 'upcoming';
  return progress === 'draft' ? 'in-progress' : 'due';
}

export type ReminderKind = 'start' | 'end';

/**
 * Which of a window's reminders is due on a date, unless it was sent: of its start from its first day on, as who begins late on that
 * day is met by no run, and of its end on the day before its last. A short window has only the reminder of its first day.
 */
export function reminderOn({ window }: Occurrence, date: string): ReminderKind | null {
  if (!window) return null;
  if (date === window.from) return 'start';
  const dayBefore = addDays(window.to, -1);
  if (date < window.from || date > dayBefore) return null;
  return date === dayBefore ? 'end' : 'start';
}

/**
 * The days after the start of an entitlement on which a bundle can remind of something: all of a window's but the last, since one that
 * ends with the entitlement ends on any of them.
 */
export function remindingDays({ windows }: Bundle): number[] {
  const days = windows.flatMap(({ fromDay, toDay }) =>
    Array.from({ length: Math.max(1, toDay - fromDay) }, (_, index) => fromDay + index),
  );
  return [...new Set(days)].toSorted((one, other) => one - other);
}

/** Whether a bundle may remind of something of an entitlement around a date of UTC, wherever its user is. */
export function mayRemind(bundle: Bundle, entitlement: Entitlement, utcDate: string): boolean {
  // The window's dates in UTC and today's where the patient is may each be a day off, and so may the last day of the entitlement.
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
    // Two windows of one bundle that are open at once would take one answer for the other.
    const overlaps = windows.slice(0, index).some((other) => fromDay <= other.toDay && other.fromDay <= toDay);
    if (overlaps) found.push({ path: `windows[${index}].fromDay`, message: 'is within another window' });
    return found;
  });
}
