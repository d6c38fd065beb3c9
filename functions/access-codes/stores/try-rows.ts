import { get, put } from '../../../lib/runtime/rows.ts';
import type { TableHandle } from '../../../lib/runtime/table-handle.ts';
import type { Tries } from '../rules/tries.ts';
import { type Item, stillAt } from './code-rows.ts';

/** Strongly consistent; null before the first. */
export async function readTries(table: TableHandle, userId: string): Promise<Tries | null> {
  return get<Tries>(table, { userId });
}

/** In the place of the row that was read. */
export function putTries(table: TableHandle, tries: Tries, before: Tries | null): Item {
  return put(table, tries, stillAt(before?.revision ?? 0, 'userId'));
}
