import type { occurrenceStatuses } from '../schemas.ts';
import type { Texts } from './definition.ts';
import { addDays, dayMs, localDate, type Moment } from './local-date.ts';
import { nameBasedId } from './name-based-id.ts';
import { type Run, termsOfRun } from './window-run.ts';

/**
 * Bundles: which questionnaires a patient should answer at which time. Dates are the patient's own; a window includes
 * both its ends.
 */

type Window = {
  readonly windowId: string;
  /** Days after the day on which the entitlement starts, which is day 0. */
  readonly fromDay: number;
  readonly toDay: number;
};

export type Bundle = {
  readonly bundleId: string;
  readonly title: Texts;
  readonly questionnaireIds: string[];
  /** Null: for everybody, and always open if it is not anchored at a sleep window. */
  readonly programmeId: string | null;
  /** Empty if the bundle is always open, or anchored at a sleep window. */
  readonly windows: Window[];
  /**
   * What the days count from. Absent: the start of an entitlement. `window`: the first evening of the present run of
   * sleep windows.
   */
  readonly anchor?: 'entitlement' | 'window' | undefined;
  /** Only with the anchor `window`: it is due every so many days, and then open for so many. */
  readonly everyDays?: number | undefined;
  readonly openDays?: number | undefined;
};

/** `changeId`: new for each change. */
export type BundleRow = Bundle & { readonly revision: number; readonly changeId: string };

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
  /** The present end of the entitlement; or that of the run of sleep windows, if it ended before. */
  readonly term: { readonly startsAt: string; readonly endsAt: string } | null;
};

export type Status = (typeof occurrenceStatuses)[number];

/**
 * In the order of their windows; occurrences that are always open come first.
 *
 * @param run the patient's last run of sleep windows; null if no window was ever released
 */
export function occurrencesOf(
  bundles: readonly Bundle[],
  entitlements: readonly Entitlement[],
  zone: string,
  run: Run | null,
): Occurrence[] {
  const found = bundles.flatMap((bundle) => {
    if (isAnchoredAtWindow(bundle)) return run ? everySoOften(bundle, run, entitlements, zone) : [];
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

export type WindowBundle = Bundle & { readonly everyDays: number; readonly openDays: number };

export function isAnchoredAtWindow(bundle: Bundle): bundle is WindowBundle {
  return bundle.anchor === 'window' && bundle.everyDays !== undefined && bundle.openDays !== undefined;
}

/**
 * The occurrences of a run. The first one is `everyDays` after its first evening: what has to be answered before is a
 * matter of the programme's start and of the release.
 */
function everySoOften(
  bundle: WindowBundle,
  run: Run,
  entitlements: readonly Entitlement[],
  zone: string,
): Occurrence[] {
  const { everyDays, openDays } = bundle;
  const { last, termOn } = termsOfRun(run, entitlements, zone);
  const found: Occurrence[] = [];
  for (let index = 1; ; index += 1) {
    const from = addDays(run.startedOn, index * everyDays);
    if (last === null || from > last) return found;
    const term = termOn(from);
    if (!term) continue;
    const end = addDays(from, openDays - 1);
    const { entitlementId, startsAt, endsAt, lastDate } = term;
    found.push({
      occurrenceId: nameBasedId(bundle.bundleId, 'run', run.userId, run.startedOn, String(index)),
      bundle,
      entitlementId,
      window: { from, to: end < lastDate ? end : lastDate },
      term: { startsAt, endsAt },
    });
  }
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

/**
 * Whether an occurrence's reminder may be sent on a date: from its first day on, because no run finds a patient who
 * begins late on the first day; until the day before its last. A window of one day has only this day.
 */
export function isReminderDay({ window }: Occurrence, date: string): boolean {
  if (!window || date < window.from) return false;
  return date === window.from || date < window.to;
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
  return occurrencesOf([bundle], [{ ...entitlement, endsAt }], 'UTC', null).some((each) =>
    dates.some((date) => isReminderDay(each, date)),
  );
}

/** Whether a bundle may send a reminder for a run of sleep windows around a UTC date, in any time zone of its user. */
export function mayRemindOfRun(bundle: Bundle, startedOn: string, utcDate: string): boolean {
  if (!isAnchoredAtWindow(bundle)) return false;
  const { everyDays, openDays } = bundle;
  return [-1, 0, 1].some((off) => {
    const day = (Date.parse(addDays(utcDate, off)) - Date.parse(startedOn)) / dayMs;
    return day >= everyDays && day % everyDays < Math.max(1, openDays - 1);
  });
}
