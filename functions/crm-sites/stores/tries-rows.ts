import { isNaming } from '../../../lib/contract/revision.ts';
import { ifChangeIs } from '../../../lib/runtime/conditions.ts';
import { get, put } from '../../../lib/runtime/rows.ts';
import type { Tries } from '../rules/tries.ts';
import type { SiteCodeTries } from '../tables.ts';

/** Table `SiteCodeTries`. */

export async function readTries(table: SiteCodeTries<'get'>, userId: string): Promise<Tries | null> {
  return get(table, { userId });
}

/** An item of a transaction, on the condition that the row is still what was read. */
export function putTries(table: SiteCodeTries<'put'>, tries: Tries, before: Tries | null) {
  // A row that no honest function writes keeps nobody out.
  const read = isNaming(before?.changeId) ? before.changeId : null;
  return put(table, tries, ifChangeIs('userId', ['changeId'], read));
}
