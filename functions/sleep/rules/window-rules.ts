/**
 * The rules by which a sleep window follows from a diary (sleep restriction therapy: Spielman, Saskin and Thorpy, Sleep 1987;
 * 10(1):45–56, doi:10.1093/sleep/10.1.45). A set of rules is released with the code and never changed. Another rule is
 * another version, and each window names its version. No setting of an app overrides the rules. The units are minutes
 * and percent.
 */
type Numbers = {
  readonly version: string;
  /** How many of the seven days must have a night in the diary. */
  readonly nightsNeeded: number;
  /** Days until the next window can follow. */
  readonly everyDays: number;
  readonly stepMinutes: number;
  /**
   * From the first efficiency (by time in bed) upwards, the window becomes a step longer. Below the other one, it
   * becomes a step shorter.
   */
  readonly longerFromPercent: number;
  readonly shorterBelowPercent: number;
  readonly leastMinutes: number;
  readonly mostMinutes: number;
  /** What a physician can prescribe instead. */
  readonly leastByPhysician: number;
  readonly mostByPhysician: number;
  /** Windows and rising times are multiples of it. */
  readonly roundedToMinutes: number;
  /**
   * The screening with which a patient can release a window, if the programme permits it: its version, and for how long
   * its answers count.
   */
  readonly screening: { readonly questionnaireId: string; readonly version: string; readonly validDays: number };
};

type Score = { readonly questionnaireId: string; readonly scoreId: string };

/** The days after the last measurement of sleepiness from which on a window is without one. */
type Ages = { readonly dueAfterDays: number; readonly suspendedAfterDays: number };

/** The rules by which windows are proposed and released now. */
export type WindowRules = Numbers & {
  /** Sleepiness by day. A score above `most` suspends the window. */
  readonly sleepiness: Score &
    Ages & {
      readonly most: number;
      /** A patient who releases a window must have answered within these days. */
      readonly beforeReleaseDays: number;
      /** A score that ends a suspension is so many days later than the one that caused it. */
      readonly calmDays: number;
      /** After so many suspensions, only a physician releases. */
      readonly suspensionsUntilPhysician: number;
    };
  /** From this score on, a physician decides. */
  readonly depression: Score & { readonly physicianFrom: number; readonly validDays: number };
};

/** The rules of a stored window: its numbers, and the ages that are asked of its measurements. */
export type StoredRules = Numbers & { readonly ages: Ages | null };

const first: StoredRules = {
  version: '1',
  nightsNeeded: 5,
  everyDays: 7,
  stepMinutes: 15,
  longerFromPercent: 90,
  shorterBelowPercent: 80,
  leastMinutes: 300,
  mostMinutes: 540,
  leastByPhysician: 240,
  mostByPhysician: 720,
  roundedToMinutes: 5,
  screening: { questionnaireId: 'sleep-window-screening', version: '1.0', validDays: 28 },
  ages: null,
};

const second: WindowRules = {
  version: '2',
  nightsNeeded: 5,
  everyDays: 7,
  stepMinutes: 15,
  longerFromPercent: 90,
  shorterBelowPercent: 80,
  leastMinutes: 300,
  mostMinutes: 540,
  leastByPhysician: 240,
  mostByPhysician: 720,
  roundedToMinutes: 5,
  sleepiness: {
    questionnaireId: 'ess',
    scoreId: 'total',
    most: 10,
    beforeReleaseDays: 7,
    dueAfterDays: 14,
    suspendedAfterDays: 21,
    calmDays: 3,
    suspensionsUntilPhysician: 2,
  },
  depression: { questionnaireId: 'phq-9', scoreId: 'total', physicianFrom: 20, validDays: 28 },
  screening: { questionnaireId: 'sleep-window-screening', version: '2.0', validDays: 28 },
};

export const currentRules: WindowRules = second;

export type KnownRules = ReadonlyMap<string, StoredRules>;

/** All sets that a stored window can name. */
export const rulesByVersion: KnownRules = new Map([
  [first.version, first],
  [second.version, { ...second, ages: second.sleepiness }],
]);
