import type { Row } from './columns.ts';

/** A participant, as a page has them before the decision on small cells. */
export type Draft = {
  readonly pseudonym: string;
  /** The row of the file of participants. */
  readonly itself: Row;
  /** Of which data classes there are rows. */
  readonly files: readonly string[];
};

/** Where the rows of a participant lie. */
export type Source = Pick<Draft, 'pseudonym' | 'files'> & { readonly putAt: number };

/**
 * The order of all files. Pages are in the order of user ids, which is the same in each study: by the place of their rows, people
 * that are in two studies could be found in both. Pseudonyms are random, and others in each study. Pure.
 */
export function inOrder<T extends { readonly pseudonym: string }>(participants: readonly T[]): T[] {
  return participants.toSorted((one, other) => (one.pseudonym < other.pseudonym ? -1 : 1));
}
