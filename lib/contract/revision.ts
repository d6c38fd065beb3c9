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

/** A text that names a row's last change, or somebody: an empty one names nothing. */
export function isNaming(stored: unknown): stored is string {
  return typeof stored === 'string' && stored !== '';
}

/**
 * The same of rows that name each change instead of counting: by a text that is new with each.
 *
 * @param names of the texts without any of which a row counts as none; the first is that of the change
 * @param read the text of the change; null: there was no row that counts
 */
export function isStillNamed(key: string, names: readonly [string, ...string[]], read: string | null) {
  const isNamed = names.map((name) => `${name} > :none`).join(' AND ');
  return {
    ConditionExpression:
      read === null ? `NOT (${isNamed})` : `attribute_exists(${key}) AND (NOT (${isNamed}) OR ${names[0]} = :read)`,
    ExpressionAttributeValues: { ':none': '', ...(read !== null && { ':read': read }) },
  };
}
