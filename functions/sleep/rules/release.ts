import type { WindowRules } from './window-rules.ts';

/** Who releases a proposed window: a physician, or the patient after a screening, where the programme says so. Pure. */

/** How a programme releases windows. */
export type ReleaseWay = 'physician' | 'screening';

/** The screening that was completed last, as it stands corrected. */
export type Screened = {
  readonly responseId: string;
  readonly version: string;
  readonly completedAt: string;
  /** How many answers exclude a window without a physician; null if that is unknown. */
  readonly excluding: number | null;
};

export type Release = {
  /** Of the programmes that are unlocked now. */
  readonly ways: readonly ReleaseWay[];
  readonly screened: Screened | null;
  /** The last decision was a physician's, to take the window back. */
  readonly isWithdrawn: boolean;
  /** Of the proposal; null where there is none. */
  readonly minutes: number | null;
};

/** Each of them leads to the physician, whatever else is answered. */
const physicianRules = {
  PROGRAMME_BY_PHYSICIAN: ({ ways }) => ways.length === 0 || ways.includes('physician'),
  WITHDRAWN_BY_PHYSICIAN: ({ isWithdrawn }) => isWithdrawn,
  BEYOND_BOUNDS: ({ minutes }, { leastMinutes, mostMinutes }) =>
    minutes !== null && (minutes < leastMinutes || minutes > mostMinutes),
  SCREENING_EXCLUDES: ({ screened }) => screened !== null && excludes(screened),
} as const satisfies Record<string, (release: Release, rules: WindowRules) => boolean>;

/** A screening without a result is not one that excludes nothing. */
export function excludes({ excluding }: Screened): boolean {
  return excluding === null || excluding > 0;
}

export type PhysicianReason = keyof typeof physicianRules;

/** Without one that counts the patient is asked for it, and the physician can release all the same. */
export const screeningNeeded = 'SCREENING_NEEDED';

export type Releaser =
  | { readonly by: 'physician'; readonly because: readonly PhysicianReason[] }
  | { readonly by: 'screening'; readonly because: readonly [] | readonly [typeof screeningNeeded] };

/** @param now of the business rules */
export function releaserOf(release: Release, rules: WindowRules, now: Date): Releaser {
  const names = Object.keys(physicianRules) as PhysicianReason[];
  const because = names.filter((name) => physicianRules[name](release, rules));
  if (because.length > 0) return { by: 'physician', because };
  const { screened } = release;
  return { by: 'screening', because: screened && counts(screened, rules, now) ? [] : [screeningNeeded] };
}

/** Of the version that the rules name, and not too long ago: what is asked can change. */
function counts({ version, completedAt }: Screened, { screening }: WindowRules, now: Date): boolean {
  const age = now.getTime() - Date.parse(completedAt);
  return version === screening.version && age <= screening.validDays * 86_400_000;
}
