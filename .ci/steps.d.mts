export type Step = {
  readonly name: string;
  /** What follows `npm`. */
  readonly words: readonly string[];
  /** After so many minutes it counts as hanging. */
  readonly minutes: number;
  /** Where Vitest notes what it found. */
  readonly results?: string;
  /** The file that gets what it prints. */
  readonly log?: string;
  readonly variables?: Readonly<Record<string, string>>;
};

export type Outcome = {
  readonly name: string;
  readonly seconds: number;
  readonly passed: number;
  readonly skipped: number;
  /** A text for each failure. */
  readonly problems: readonly string[];
};

/** It never rejects. What the step prints is printed where it has no `log`. */
export function outcomeOf(step: Step): Promise<Outcome>;
/** @param inAll seconds, where the steps did not run one after the other */
export function closingLines(outcomes: readonly Outcome[], inAll?: number): string;
