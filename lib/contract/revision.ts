/**
 * Rows that count their changes: each write is on the condition that nothing has changed since the read. Others may write the count, too:
 * it is rounded, and one that is no number, or too high to count on, counts as none. The next write replaces it.
 */

/** No row has been changed more often. */
export const mostRevisions = 2 ** 51;

/** @param stored the attribute `revision` of a row, as it was read @returns 0 where there is none */
export function revisionOf(stored: unknown): number {
  // Of a number with more digits than a Number has, the client gives the text.
  const revision = Math.round(Number(stored));
  return revision >= 1 && revision <= mostRevisions ? revision : 0;
}

/** A text that names a row's last change, or somebody: an empty one names nothing. */
export function isNaming(stored: unknown): stored is string {
  return typeof stored === 'string' && stored !== '';
}
