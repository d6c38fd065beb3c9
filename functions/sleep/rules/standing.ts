import { knownZone } from '../../users/rules.ts';
import { heldBy } from './held.ts';
import { type Measurement, measurementsOf, missingOf } from './measurements.ts';
import type { Night } from './night.ts';
import { programmeContents, waysOf } from './programmes.ts';
import { type Releaser, type ReleaseWay, releaserOf } from './release.ts';
import { knownAt, latestOf } from './signs.ts';
import { believedSign, canCalm, isPausedBy } from './sleepiness.ts';
import { blockingOf, type Concerns, measurementOf, type Suspension, suspensionsOf } from './suspension.ts';
import { idOf, type Outlook, outlookOf, type Signs, type SleepWindow } from './window.ts';
import { currentRules } from './window-rules.ts';
import { wallTime } from './zone.ts';

/** A patient's sleep window as it is now, and the proposal that follows from the newer diary. Pure. */

export type Term = { readonly programmeId: string; readonly startsAt: string; readonly endsAt: string };

/** A released window, with the zone in which the patient was then. */
type Stored = SleepWindow & { readonly zone: string };

/** All of it is read without a time, so that it can be read before the time is known. */
export type WindowFacts<W extends Stored = Stored> = Concerns & {
  /** The last release or withdrawal. */
  readonly last: W | null;
  /** The row behind which the next one follows. */
  readonly behind?: Behind<W>;
  /** The latest nights of the diary, oldest first. */
  readonly nights: readonly Night[];
  /** The zone of the latest of them. */
  readonly zone: string | null;
};

type Behind<W> = (Partial<W> & { readonly number: string }) | null;

/** @property isAdult false if the year of birth is not known */
export type Person = { readonly terms: readonly Term[]; readonly isAdult: boolean };

export type WindowStatus = 'none' | 'active' | 'measurement-due' | 'suspended' | 'ended';

/** Its signs are those that the next row says. */
export type Standing<W extends Stored = Stored> = Signs & {
  readonly last: W | null;
  readonly behind: Behind<W>;
  /** Null if nothing is prescribed, also in a programme that began after the window had ended. */
  readonly current: W | null;
  readonly status: WindowStatus;
  /** Why the patient should follow no window at present. */
  readonly suspended: readonly Suspension[];
  /** Names what suspends the window so that a physician can decide about it; null if nothing does. */
  readonly suspensionId: string | null;
  /** Those reasons because of which nothing can be released, for each who could. */
  readonly blocking: Readonly<Record<ReleaseWay, readonly Suspension[]>>;
  readonly releaser: Releaser;
  readonly measurements: readonly Measurement[];
  readonly screened: Concerns['screened'];
  readonly outlook: Outlook;
  readonly sleepySuspensions: number;
  /** Whether the next window begins a new run. */
  readonly isFirst: boolean;
  /** Whether the last window has ended, and the patient is in a programme again. */
  readonly isOver: boolean;
  /** Whether a programme is unlocked now. */
  readonly isInProgramme: boolean;
  /** Whether an answer about sleepiness would end the suspension by it now. */
  readonly canCalm: boolean;
  /** The patient's own date; null if no zone is known. */
  readonly today: string | null;
  readonly zone: string | null;
};

export function standingOf<W extends Stored>(
  { last, behind = null, nights, zone: latestZone, ...found }: WindowFacts<W>,
  { terms, isAdult }: Person,
  now: Date,
): Standing<W> {
  const concerns = { ...found, sleepyAt: believedSign(found.sleepyAt, now) };
  const ways = waysAt(terms, now);
  const released = last?.isWithdrawn ? null : last;
  const hasRunOut = released !== null && hasEnded(released, terms, now);
  const isInProgramme = activeAt(terms, now).some(isKnown);
  const isOver = hasRunOut && isInProgramme;
  const current = isOver ? null : released;
  const isEnded = hasRunOut && !isOver;
  const zone = latestZone ?? knownZone(last?.zone);
  const today = zone === null ? null : wallTime(now.getTime(), zone).date;
  const isPaused = released !== null && isPausedBy(released, concerns.sleepyAt);
  const isFirst = current === null || isEnded || isPaused;
  const { screened, depression } = concerns;
  const outlook = outlookOf(nights, last, today, currentRules, { isFirst, signs: concerns });
  const suspended = suspensionsOf(last, concerns, currentRules, { current, isEnded, ways, now });
  const measurements = measurementsOf(concerns, currentRules, now);
  const sleepySuspensions = (last?.sleepySuspensions ?? 0) + (isPaused ? 1 : 0);
  const releaser = releaserOf(
    {
      ...{ ways, screened, isAdult, isWithdrawn: last?.isWithdrawn ?? false, sleepySuspensions },
      ...{ minutes: outlook.proposal?.minutes ?? null, missing: missingOf(measurements) },
      ...{ depression: depression?.value ?? null, held: heldBy(last, concerns) },
    },
    currentRules,
    now,
  );
  const blocking = {
    physician: blockingOf(last, concerns, currentRules, 'physician'),
    screening: blockingOf(last, concerns, currentRules, 'screening'),
  };
  const status = statusOf(current, { isEnded, suspended, concerns, ways, now });
  const signs = knownSigns(last, concerns);
  const suspensionId = suspensionIdOf(current, suspended, signs);
  return {
    ...{ last, behind, current, status, suspended, suspensionId, blocking, releaser, measurements, screened, outlook },
    ...{ sleepySuspensions, isFirst, isOver, isInProgramme, today, zone, ...signs },
    canCalm: suspended.includes('SLEEPINESS') && canCalm(concerns, currentRules, now),
  };
}

/** Never an earlier one than the last row says. */
function knownSigns(last: SleepWindow | null, found: Signs): Signs {
  const latest = (sign: keyof Signs) => latestOf(last && knownAt(last[sign], last.releasedAt), found[sign]);
  return { sleepyAt: latest('sleepyAt'), lowMoodAt: latest('lowMoodAt'), excludedAt: latest('excludedAt') };
}

/** The reasons that a physician who replaces a window decides about. What is not answered is confirmed by its own names. */
const decided: readonly Suspension[] = ['SLEEPINESS', 'NOT_RESUMED', 'SCREENING_EXCLUDES', 'MOOD_NEEDS_PHYSICIAN'];

/** Another sign is another id, even of the same kind: nobody has seen it. */
function suspensionIdOf(current: SleepWindow | null, suspended: readonly Suspension[], signs: Signs): string | null {
  if (!current || !suspended.some((reason) => decided.includes(reason))) return null;
  return idOf([current.sequence, signs.sleepyAt, signs.lowMoodAt, signs.excludedAt]);
}

type StandingFacts = {
  readonly isEnded: boolean;
  readonly suspended: readonly Suspension[];
  readonly concerns: Concerns;
  readonly ways: readonly ReleaseWay[];
  readonly now: Date;
};

function statusOf(
  current: SleepWindow | null,
  { isEnded, suspended, concerns, ways, now }: StandingFacts,
): WindowStatus {
  if (!current) return 'none';
  if (isEnded) return 'ended';
  if (suspended.length > 0) return 'suspended';
  return measurementOf(current, concerns, { ways, now }) === 'there' ? 'active' : 'measurement-due';
}

function activeAt(terms: readonly Term[], now: Date): Term[] {
  const at = now.toISOString();
  return terms.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
}

function waysAt(terms: readonly Term[], now: Date): ReleaseWay[] {
  return waysOf(activeAt(terms, now).map(({ programmeId }) => programmeId));
}

const isKnown = ({ programmeId }: Term) => Object.hasOwn(programmeContents, programmeId);

/**
 * Whether all entitlements to programmes have ended at some time since a window was released: then it has ended, too,
 * and a later entitlement does not bring it back. A window that a physician released without a programme does not end.
 */
export function hasEnded({ releasedAt }: Pick<SleepWindow, 'releasedAt'>, terms: readonly Term[], now: Date): boolean {
  const at = now.toISOString();
  const known = terms.filter((term) => term.startsAt < term.endsAt && isKnown(term));
  return known.some(
    ({ endsAt: end }) =>
      end > releasedAt && end <= at && !known.some(({ startsAt, endsAt }) => startsAt <= end && end < endsAt),
  );
}
