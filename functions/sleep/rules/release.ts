import type { WindowRules } from './window-rules.ts';

/** Who releases a proposed window: a physician; or the patient after a screening, if the programme permits it. Pure. */

/** How a programme releases windows. */
export type ReleaseWay = 'physician' | 'screening';

/** The screening that was completed last, with its latest correction. */
export type Screened = {
  readonly responseId: string;
  readonly version: string;
  /** When the patient wrote it. */
  readonly completedAt: string;
  /** How many answers exclude a window without a physician; null if that is unknown. */
  readonly excluding: number | null;
};

export type Release = {
  /** The ways of release of the programmes that are unlocked now. */
  readonly ways: readonly ReleaseWay[];
  readonly screened: Screened | null;
  /** Whether the year of birth says so; false if it is not known. */
  readonly isAdult: boolean;
  /** Whether the last decision was that a physician withdrew the window. */
  readonly isWithdrawn: boolean;
  /** The proposal's id; null if there is no proposal. */
  readonly minutes: number | null;
  /** The questionnaires that must be answered first. */
  readonly missing: readonly string[];
  /** The latest score of the questionnaire on mood. */
  readonly depression: number | null;
  /** The reasons that have come since the patient released the last window. Later answers do not end them. */
  readonly held: readonly Held[];
  /** How many windows sleepiness has suspended since a physician last released one. */
  readonly sleepySuspensions: number;
};

/** The reasons that hold a window which the patient released, until a physician has decided. */
export type Held = 'SCREENING_EXCLUDES' | 'MOOD_NEEDS_PHYSICIAN';

/** Each of these reasons means that a physician decides, whatever the other answers are. */
const physicianRules = {
  PROGRAMME_BY_PHYSICIAN: ({ ways }) => ways.length === 0 || ways.includes('physician'),
  // Where a physician releases anyway, it is the physician who asks for the age.
  UNDER_AGE: ({ ways, isAdult }) => !isAdult && ways.length > 0 && !ways.includes('physician'),
  WITHDRAWN_BY_PHYSICIAN: ({ isWithdrawn }) => isWithdrawn,
  BEYOND_BOUNDS: ({ minutes }, { leastMinutes, mostMinutes }) =>
    minutes !== null && (minutes < leastMinutes || minutes > mostMinutes),
  SCREENING_EXCLUDES: ({ screened, held }) =>
    held.includes('SCREENING_EXCLUDES') || (screened !== null && excludes(screened)),
  MOOD_NEEDS_PHYSICIAN: ({ depression, held }, rules) =>
    held.includes('MOOD_NEEDS_PHYSICIAN') || needsPhysician(depression, rules),
  SLEEPY_AGAIN: ({ sleepySuspensions }, { sleepiness }) => sleepySuspensions >= sleepiness.suspensionsUntilPhysician,
} as const satisfies Record<string, (release: Release, rules: WindowRules) => boolean>;

/** A screening without a result may still exclude a window. */
export function excludes({ excluding }: Pick<Screened, 'excluding'>): boolean {
  return excluding === null || excluding > 0;
}

/** Whether a score of the questionnaire on mood leads to a physician. */
export function needsPhysician(depression: number | null, rules: WindowRules): boolean {
  return depression !== null && depression >= rules.depression.physicianFrom;
}

export type PhysicianReason = keyof typeof physicianRules;

/**
 * Without a valid screening, or without the questionnaires of the rules, the patient is asked to answer them. The
 * physician can still release the window.
 */
export type Needed = 'SCREENING_NEEDED' | 'MEASUREMENT_NEEDED';

export type Releaser =
  | { readonly by: 'physician'; readonly because: readonly PhysicianReason[] }
  | { readonly by: 'screening'; readonly because: readonly Needed[] };

/** @param now the business rules' time */
export function releaserOf(release: Release, rules: WindowRules, now: Date): Releaser {
  const names = Object.keys(physicianRules) as PhysicianReason[];
  const because = names.filter((name) => physicianRules[name](release, rules));
  if (because.length > 0) return { by: 'physician', because };
  const { screened, missing } = release;
  const needed: Needed[] = [
    ...(screened && counts(screened, rules, now) ? [] : (['SCREENING_NEEDED'] as const)),
    ...(missing.length === 0 ? [] : (['MEASUREMENT_NEEDED'] as const)),
  ];
  return { by: 'screening', because: needed };
}

/**
 * Whether the screening has the version that the rules name, and is not too old: a new version can have other
 * questions.
 */
function counts({ version, completedAt }: Screened, { screening }: WindowRules, now: Date): boolean {
  const age = now.getTime() - Date.parse(completedAt);
  return version === screening.version && age <= screening.validDays * 86_400_000;
}
