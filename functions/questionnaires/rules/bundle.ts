import type { occurrenceStatuses } from '../schemas.ts';
import type { Texts } from './definition.ts';
import { addDays, localDate } from './local-date.ts';
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
      return [{ occurrenceId: idOf(bundle, 'always', ''), bundle, entitlementId: null, window: null }];
    }
    return entitlements
      .filter(({ programmeId }) => programmeId === bundle.programmeId)
      .flatMap((entitlement) => scheduled(bundle, entitlement, zone));
  });
  const place = ({ window, bundle }: Occurrence) => `${window?.from ?? ''} ${bundle.bundleId}`;
  return found.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}

/** What an entitlement unlocks ends with it. */
function scheduled(bundle: Bundle, { entitlementId, startsAt, endsAt }: Entitlement, zone: string): Occurrence[] {
  const first = localDate(new Date(startsAt), zone);
  const last = localDate(new Date(Date.parse(endsAt) - 1), zone);
  return bundle.windows.flatMap(({ windowId, fromDay, toDay }) => {
    const [from, end] = [addDays(first, fromDay), addDays(first, toDay)];
    if (from > last) return [];
    const window = { from, to: end < last ? end : last };
    return [{ occurrenceId: idOf(bundle, windowId, entitlementId), bundle, entitlementId, window }];
  });
}

function idOf({ bundleId }: Bundle, windowId: string, entitlementId: string): string {
  return nameBasedId(bundleId, windowId, entitlementId);
}

/** The occurrence of a bundle that was open on a date. */
export function openOccurrence(occurrences: readonly Occurrence[], bundleId: string, date: string): Occurrence | null {
  const isOpen = ({ window }: Occurrence) => window === null || (window.from <= date && date <= window.to);
  return occurrences.find((each) => each.bundle.bundleId === bundleId && isOpen(each)) ?? null;
}

export type Progress = 'draft' | 'completed';

/** @param progress of those of its questionnaires that have a response */
export function statusOf(
  { window, bundle }: Occurrence,
  progress: ReadonlyMap<string, Progress>,
  today: string,
): Status {
  const states = bundle.questionnaireIds.map((id) => progress.get(id));
  if (states.every((state) => state === 'completed')) return 'completed';
  if (window && today < window.from) return 'upcoming';
  if (window && today > window.to) return 'missed';
  return states.some((state) => state !== undefined) ? 'in-progress' : 'due';
}

/** Of one questionnaire in an occurrence. */
export function statusOfPart(whole: Occurrence, progress: Progress | undefined, today: string): Status {
  if (progress === 'completed') return 'completed';
  const { window } = whole;
  if (window && today < window.from) return 'upcoming';
  if (window && today > window.to) return 'missed';
  return progress === 'draft' ? 'in-progress' : 'due';
}

export type ReminderKind = 'start' | 'end';

/** On which day a window's reminders are: its first, and the day before its last. A short window has the first alone. */
export function reminderOn({ window }: Occurrence, date: string): ReminderKind | null {
  if (!window) return null;
  if (date === window.from) return 'start';
  const dayBefore = addDays(window.to, -1);
  return date === dayBefore && dayBefore > window.from ? 'end' : null;
}

/** The days after the start of an entitlement on which a bundle reminds of something. */
export function remindingDays({ windows }: Bundle): number[] {
  return [...new Set(windows.flatMap(({ fromDay, toDay }) => [fromDay, toDay - 1]))];
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
      found.push({ path: `windows[${index}].windowId`, message: 'is another window, too' });
    }
    // Two windows of one bundle that are open at once would take one answer for the other.
    const overlaps = windows.slice(0, index).some((other) => fromDay <= other.toDay && other.fromDay <= toDay);
    if (overlaps) found.push({ path: `windows[${index}].fromDay`, message: 'is within another window' });
    return found;
  });
}
