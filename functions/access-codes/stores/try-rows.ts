import { ifRevision } from '../../../lib/runtime/conditions.ts';
import { get, put, type TransactItem } from '../../../lib/runtime/rows.ts';
import type { Tries } from '../rules/tries.ts';
import type { AccessCodeTries } from '../tables.ts';

/** Strongly consistent; null before the first. */
export async function readTries(table: AccessCodeTries<'get'>, userId: string): Promise<Tries | null> {
  return get(table, { userId });
}

/** In the place of the row that was read; one on which nobody can count keeps nobody from redeeming. */
export function putTries(table: AccessCodeTries<'put'>, tries: Tries, before: Tries | null): TransactItem {
  return put(table, tries, ifRevision('userId', before?.revision));
}
