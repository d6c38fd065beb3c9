/**
 * Rows that count their changes: each write is on the condition that nothing has changed since the read. Others may write the count, too:
 * it is rounded, and one that is no number, or too high to count on, counts as none. The next write replaces it.
 */

const most = 2 ** 51;

/** @param stored the attribute `revision` of a row, as it was read @returns 0 where there is none */
export function revisionOf(stored: unknown): number {
  // Of a number with more digits than a Number has, the client gives the text.
  const revision = Math.round(Number(stored));
  return revision >= 1 && revision <= most ? revision : 0;
}

/** The condition of a write. @param key an attribute of the table's key @param revision by `revisionOf`; 0: there was no row */
export function isStill(key: string, revision: number) {
  const isNumber = 'attribute_type(revision, :number) AND revision BETWEEN :least AND :most';
  const [least, last] = revision === 0 ? [0.5, most + 0.5] : [revision - 0.5, revision + 0.5];
  return {
    ConditionExpression:
      revision === 0
        ? `attribute_not_exists(${key}) OR NOT (${isNumber})`
        : `attribute_exists(${key}) AND (NOT attribute_type(revision, :number) OR revision BETWEEN :least AND :most)`,
    ExpressionAttributeValues: { ':number': 'N', ':least': least, ':most': last },
  };
}
