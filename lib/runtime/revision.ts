/**
 * Rows that count their changes: each write is on the condition that nothing has changed since the read. A row whose count is none, or so
 * high that nobody could count on, is of no honest function. It counts as none, and the next write replaces it.
 */

const most = 2 ** 52;

export function isRevision(revision: unknown): revision is number {
  return typeof revision === 'number' && revision >= 1 && revision <= most;
}

/** The condition of a write. @param key an attribute of the table's key @param revision as it was read; 0: there was no row */
export function isStill(key: string, revision: number) {
  return revision === 0
    ? {
        ConditionExpression: `attribute_not_exists(${key}) OR NOT (revision BETWEEN :least AND :most)`,
        ExpressionAttributeValues: { ':least': 1, ':most': most },
      }
    : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': revision } };
}
