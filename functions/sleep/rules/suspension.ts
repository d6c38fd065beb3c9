import { type HeldSigns, heldBy } from './held.ts';
import { isOlder, type Measured } from './measurements.ts';
import { excludes, needsPhysician, type ReleaseWay, type Screened } from './release.ts';
import { isCalm, isPausedBy, type Sleepiness } from './sleepiness.ts';
import type { SleepWindow } from './window.ts';
import { type KnownRules, rulesByVersion, type WindowRules } from './window-rules.ts';

/** Why nobody should follow or release a window at present. Pure. */

export const suspensions = [
  'SLEEPINESS',
  'NOT_RESUMED',
  'OPEN_FLAG',
  'FLAG_SEEN',
  'FLAG_NOT_REACHED',
  'SCREENING_EXCLUDES',
  'MOOD_NEEDS_PHYSICIAN',
  'MEASUREMENT_MISSING',
] as const;

export type Suspension = (typeof suspensions)[number];

const ofFlag = { open: 'OPEN_FLAG', seen: 'FLAG_SEEN', 'not-reached': 'FLAG_NOT_REACHED' } as const;

/** What speaks against a shorter sleep. */
export type Concerns = Measured &
  Sleepiness &
  HeldSigns & {
    /**
     * Whether a questionnaire has raised a flag that is not cleared; `seen`: somebody has seen each of them;
     * `not-reached`: somebody has tried in vain.
     */
    readonly flag: keyof typeof ofFlag | null;
    readonly screened: Screened | null;
  };

/** The last decision, a withdrawal too. */
type Last = SleepWindow | null;

function byFlag({ flag }: Concerns): Suspension[] {
  return flag === null ? [] : [ofFlag[flag]];
}

/** Whether the patient is too sleepy, and nobody has decided about it. */
function isSleepy(last: Last, concerns: Concerns, rules: WindowRules): boolean {
  return (last === null || isPausedBy(last, concerns.sleepyAt)) && !isCalm(concerns, rules);
}

/** Because of these reasons the reader cannot release anything. A physician can decide about sleepiness. */
export function blockingOf(last: Last, concerns: Concerns, rules: WindowRules, by: ReleaseWay): Suspension[] {
  const sleepy = by === 'screening' && isSleepy(last, concerns, rules) ? (['SLEEPINESS'] as const) : [];
  return [...sleepy, ...byFlag(concerns)];
}

type At = {
  readonly current: Last;
  readonly isEnded: boolean;
  readonly ways: readonly ReleaseWay[];
  readonly now: Date;
};

/**
 * Why the patient should not follow the present window, or what is to be settled before the first one. A window that
 * sleepiness has suspended never comes back by itself.
 *
 * @param at `current`: what is prescribed now; `isEnded`: its entitlement has ended, and nobody asks for questionnaires
 * any more; `ways`: how the programmes that are unlocked now release windows
 */
export function suspensionsOf(
  last: Last,
  concerns: Concerns,
  rules: WindowRules,
  { current, isEnded, ways, now }: At,
): Suspension[] {
  const found: Suspension[] = [];
  if (isSleepy(last, concerns, rules)) found.push('SLEEPINESS');
  else if (current && isPausedBy(current, concerns.sleepyAt)) found.push('NOT_RESUMED');
  found.push(...byFlag(concerns));
  if (current === null) return found;
  if (current.by === 'screening') {
    const held = heldBy(current, concerns);
    const { screened, depression } = concerns;
    // A physician can release another window in spite of these.
    if (held.includes('SCREENING_EXCLUDES') || (screened && excludes(screened))) found.push('SCREENING_EXCLUDES');
    if (held.includes('MOOD_NEEDS_PHYSICIAN') || needsPhysician(depression?.value ?? null, rules)) {
      found.push('MOOD_NEEDS_PHYSICIAN');
    }
  }
  if (!isEnded && measurementOf(current, concerns, { ways, now }) === 'missing') found.push('MEASUREMENT_MISSING');
  return found;
}

/**
 * Whether a window has its measurement of sleepiness, by the ages of the rules with which it was made. Only a physician
 * who looks after it takes its place: not where each programme that is unlocked now leaves the release to the patient.
 */
export function measurementOf(
  { by, ruleVersion, releasedAt }: Pick<SleepWindow, 'by' | 'ruleVersion' | 'releasedAt'>,
  { measuredAt }: Pick<Concerns, 'measuredAt'>,
  { ways, now }: { ways: readonly ReleaseWay[]; now: Date },
  known: KnownRules = rulesByVersion,
): 'there' | 'due' | 'missing' {
  const ages = known.get(ruleVersion)?.ages ?? null;
  const isLookedAfter = by === 'physician' && (ways.length === 0 || ways.includes('physician'));
  if (isLookedAfter || ages === null) return 'there';
  const since = measuredAt ?? releasedAt;
  if (isOlder(since, ages.suspendedAfterDays, now)) return 'missing';
  return isOlder(since, ages.dueAfterDays, now) ? 'due' : 'there';
}
