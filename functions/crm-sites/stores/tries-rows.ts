import { get, put } from '../../../lib/runtime/rows.ts';
import type { Tries } from '../rules/tries.ts';
import type { SiteCodeTries } from '../tables.ts';

/** Table `SiteCodeTries`. */

export async function readTries(table: SiteCodeTries<'get'>, userId: string): Promise<Tries | null> {
  return get<Tries>(table, { userId });
}

/** An item of a transaction, on the condition that the row is still what was read. */
export function putTries(table: SiteCodeTries<'put'>, tries: Tries, before: Tries | null) {
  // A row that no honest function writes keeps nobody out.
  const isStill = before?.changeId
    ? { ConditionExpression: 'changeId = :read', ExpressionAttributeValues: { ':read': before.changeId } }
    : { ConditionExpression: 'attribute_not_exists(changeId)' };
  return put(table, tries, isStill);
}
