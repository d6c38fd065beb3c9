import { revisionOf } from '../../../lib/contract/revision.ts';
import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { get, put, type TransactItem } from '../../../lib/runtime/rows.ts';
import type { WordingGuard } from '../rules/wording.ts';
import type { Questionnaires } from '../tables.ts';

/**
 * Table `Questionnaires`: one row that every new bundle and every new version changes. If both are written at once, one of them fails and
 * is checked again. Otherwise neither check would see the other write.
 */
const key = { part: 'guards', name: 'wording' };

/**
 * Call it before the reads of the check.
 *
 * @returns an item for the transaction, which fails if another bundle or version was written since
 */
export async function wordingGuard(table: Questionnaires<'get' | 'put'>): Promise<TransactItem> {
  const before = await get<WordingGuard>(table, key);
  return put(table, { ...key, revision: revisionOf(before?.revision) + 1 }, ifRevision('part', before?.revision));
}
