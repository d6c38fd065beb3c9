import type { Row } from './columns.ts';

/** A participant in a page, before the decision on small cells. */
export type Draft = {
  readonly pseudonym: string;
  /** The row of the file of participants. */
  readonly itself: Row;
  /** The data classes for which the participant has rows. */
  readonly files: readonly string[];
};

/** Where the rows of a participant are stored. */
export type Source = Pick<Draft, 'pseudonym' | 'files'> & { readonly putAt: number };

/**
 * Sorts by pseudonym, in all files. Pages are in the order of user ids, which is the same in each study. With that order, the
 * places of rows would show who is in two studies. Pseudonyms look random and are different in each study. Pure.
 */
export function inOrder<T extends { readonly pseudonym: string }>(participants: readonly T[]): T[] {
  return participants.toSorted((one, other) => (one.pseudonym < other.pseudonym ? -1 : 1));
}
