/**
 * The rules by which a sleep window follows from a diary (sleep restriction therapy: Spielman, Saskin and Thorpy, Sleep 1987;
 * 10(1):45–56, doi:10.1093/sleep/10.1.45). A set of rules is released with the code and never changed. Another rule is
 * another version, and each window names its version. No setting of an app overrides the rules. The units are minutes
 * and percent.
 */
export type WindowRules = {
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
  /** A sum of the Epworth Sleepiness Scale above this number suspends the window. */
  readonly mostSleepiness: number;
  /**
   * The screening with which a patient can release a window, if the programme permits it: its version, and for how long
   * its answers count.
   */
  readonly screening: { readonly questionnaireId: string; readonly version: string; readonly validDays: number };
};

const first: WindowRules = {
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
  mostSleepiness: 10,
  screening: { questionnaireId: 'sleep-window-screening', version: '2.0', validDays: 28 },
};

export const currentRules: WindowRules = first;

export type KnownRules = ReadonlyMap<string, WindowRules>;

/** All sets that a stored window can name. */
export const rulesByVersion: KnownRules = new Map([[first.version, first]]);
