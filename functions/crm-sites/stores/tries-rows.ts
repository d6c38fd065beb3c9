import { get, put } from '../../../lib/runtime/rows.ts';
import type { TableHandle } from '../../../lib/runtime/table-handle.ts';
import type { Tries } from '../rules/tries.ts';

/** Table `SiteCodeTries`. */

export async function readTries(table: TableHandle, userId: string): Promise<Tries | null> {
  return get<Tries>(table, { userId });
}

/** An item of a transaction, on the condition that the row is still what was read. */
export function putTries(table: TableHandle, tries: Tries, before: Tries | null) {
  // A row that no honest function writes keeps nobody out.
  const isStill = before?.changeId
    ? { ConditionExpression: 'changeId = :read', ExpressionAttributeValues: { ':read': before.changeId } }
    : { ConditionExpression: 'attribute_not_exists(changeId)' };
  return put(table, tries, isStill);
}
