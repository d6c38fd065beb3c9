import { ifAbsent, ifRevision } from '../../../lib/runtime/conditions.ts';
import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { check, get, put, type TransactItem, update } from '../../../lib/runtime/rows.ts';
import { type Batch, type BatchRow, type CodeGroup, type CodeRow, groupParts } from '../rules/batch.ts';
import type { AccessCodeBatches, AccessCodes } from '../tables.ts';

/** The rows of codes and of their batches. Every read is strongly consistent. */

/** Under which all batches are, by their ids: `~` is in no id. */
const batchesKey = '~batches';

const batchRowKey = (batchId: string) => ({ batchId: batchesKey, part: batchId });

export async function readBatch(table: AccessCodeBatches<'get'>, batchId: string): Promise<Batch | null> {
  const row = await get<BatchRow>(table, batchRowKey(batchId));
  return row && batchFromRow(row);
}

function batchFromRow({ part, ...row }: BatchRow): Batch {
  return { ...row, batchId: part };
}

/** A page of the batches, newest first. @param after the `batchId` that the page before ended with */
export async function readBatches(
  table: AccessCodeBatches<'query'>,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ batches: Batch[]; hasMore: boolean }> {
  const query = {
    ...inPartition({ batchId: batchesKey }),
    ScanIndexForward: false,
    ...(after !== null && { ExclusiveStartKey: batchRowKey(after) }),
  };
  const { rows, hasMore } = await queryPage<BatchRow>(table, query, limit);
  return { batches: rows.map(batchFromRow), hasMore };
}

/** Of those codes that are written. Whoever may count in a group may also make rows, without their codes. */
export async function readGroups(table: AccessCodeBatches<'query'>, batchId: string): Promise<CodeGroup[]> {
  const rows = await queryAll<CodeGroup>(table, inPartition({ batchId }, { part: between(...groupParts) }));
  return rows.filter(({ part, codes }) => part.length === groupParts[0].length && Number.isInteger(codes));
}

export async function readGroup(
  table: AccessCodeBatches<'get'>,
  { batchId, part }: { batchId: string; part: string },
): Promise<CodeGroup | null> {
  return get<CodeGroup>(table, { batchId, part });
}

export async function readCodeRow(table: AccessCodes<'get'>, accessCodeId: string): Promise<CodeRow | null> {
  return get(table, { accessCodeId });
}

/** @param ids of a code, one for each known key; it has one of them */
export async function findCodeRow(table: AccessCodes<'get'>, ids: readonly string[]): Promise<CodeRow | null> {
  for (const id of ids) {
    const row = await readCodeRow(table, id);
    if (row) return row;
  }
  return null;
}

/** The batch of a code, and the code's row: read again if the batch is revoked. */
export async function readWithBatch(
  tables: {
    readonly AccessCodes: AccessCodes<'get'>;
    readonly AccessCodeBatches: AccessCodeBatches<'get'>;
  },
  found: CodeRow & { readonly batchId: string },
): Promise<{ row: CodeRow; batch: Batch }> {
  const batch = await readBatch(tables.AccessCodeBatches, found.batchId);
  if (!batch) throw new Error('a code has no batch');
  if (batch.revokedAt === null) return { row: found, batch };
  // Between the two reads the code may have been redeemed and then its batch revoked. A redemption stays.
  return { row: (await readCodeRow(tables.AccessCodes, found.accessCodeId)) ?? found, batch };
}

/** A batch in the place of the one that was read, or the first of its id. */
export function putBatch(table: AccessCodeBatches<'put'>, { batchId, ...batch }: Batch): TransactItem {
  return put(table, { ...batch, ...batchRowKey(batchId) }, ifRevision('batchId', batch.revision - 1));
}

export function putGroup(table: AccessCodeBatches<'put'>, group: CodeGroup): TransactItem {
  return put(table, group, ifAbsent('batchId'));
}

type GroupKey = Pick<CodeGroup, 'batchId' | 'part'>;

/** One code more of a group is redeemed or revoked, while its batch is not. */
export function countInGroup(
  table: AccessCodeBatches<'update'>,
  { batchId, part }: GroupKey,
  count: 'redeemed' | 'revoked',
): TransactItem {
  return update(
    table,
    { batchId, part },
    {
      UpdateExpression: `ADD ${count} :one`,
      ConditionExpression: 'attribute_exists(batchId) AND attribute_not_exists(revokedAt)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  );
}

/** No code of a group is redeemed or revoked from here on; again it changes nothing. */
export function revokeGroup(
  table: AccessCodeBatches<'update'>,
  { batchId, part }: GroupKey,
  revokedAt: string,
): TransactItem {
  return update(
    table,
    { batchId, part },
    {
      // No honest function writes that end before: it may fill the row.
      UpdateExpression: 'SET revokedAt = :at REMOVE entitlementsEndedAt',
      ConditionExpression: 'attribute_not_exists(revokedAt)',
      ExpressionAttributeValues: { ':at': revokedAt },
    },
  );
}

/** Notes when the entitlements of a revoked group have ended; repeated, it is the same time. */
export function markGroupEnded(
  table: AccessCodeBatches<'update'>,
  { batchId, part }: GroupKey,
  at: string,
): TransactItem {
  return update(
    table,
    { batchId, part },
    { UpdateExpression: 'SET entitlementsEndedAt = :at', ExpressionAttributeValues: { ':at': at } },
  );
}

export function putNewCode(table: AccessCodes<'put'>, row: CodeRow): TransactItem {
  return put(table, row, ifAbsent('accessCodeId'));
}

/** No code has one of these ids. */
export function noCode(table: AccessCodes<'check'>, ids: readonly string[]): TransactItem[] {
  return ids.map((accessCodeId) => check(table, { accessCodeId }, ifAbsent('accessCodeId')));
}

/** A code that is redeemed or revoked now, on the condition that it was neither before. */
export function replaceUnusedCode(table: AccessCodes<'put'>, row: CodeRow): TransactItem {
  const ConditionExpression =
    'attribute_exists(accessCodeId) AND attribute_not_exists(redeemedAt) AND attribute_not_exists(revokedAt)';
  return put(table, row, { ConditionExpression });
}
