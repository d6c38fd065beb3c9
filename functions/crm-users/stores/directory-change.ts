import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Items } from '../../../lib/runtime/write-latest.ts';
import { changedEntry, type EntryChanges } from '../rules/directory.ts';
import { putEntry, readEntry } from './directory-rows.ts';

/**
 * For whoever administers roles and accounts of staff: the items that bring the directory's entry up to date, for the transaction of
 * that change, on the condition that the entry is still the one that was read here. None where it says so already.
 */
export async function directoryChange(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  changes: Pick<EntryChanges, 'name' | 'roles' | 'status'>,
): Promise<Items> {
  const before = await readEntry(client, table, userId);
  return putEntry(table, changedEntry(before, changes), before);
}
