import { commit } from '../../../lib/runtime/commit.ts';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { put, remove, type TransactItem } from '../../../lib/runtime/rows.ts';
import type { EntitlementRow } from '../rules/entitlement.ts';
import { holdersKey, shardOf, startKey, startOf, startShards } from '../rules/entitlement-start.ts';
import type { EntitlementStarts, Entitlements, IssuedAccessCodes } from '../tables.ts';
import { insurerKey } from './issued-codes.ts';

/** Table `EntitlementStarts`: a row for each of `Entitlements`, written in the same transaction. That one was ended early stands there only. */

export type StartTables = { readonly EntitlementStarts: EntitlementStarts<'query'> };

export function putStart(table: EntitlementStarts<'put'>, row: EntitlementRow): TransactItem {
  return put(table, { ...row, start: startOf(row) });
}

const pageRows = 100;

type StartsPageQuery = {
  readonly programmeId: string;
  readonly date: string;
  /** The `entitlementId` to go on after; null: from the start. It need not be there any more. */
  readonly after?: string | null;
};

/**
 * Those of a programme that start on a date of UTC, as they were granted, in an order of their own: a page at a time is in memory.
 * `Entitlements` says how they stand now.
 */
export async function* readStarts(
  tables: StartTables,
  { programmeId, date, after = null }: StartsPageQuery,
): AsyncGenerator<EntitlementRow> {
  const first = after === null ? startShards[0] : shardOf(after);
  for (const shard of startShards.slice(startShards.indexOf(first ?? ''))) {
    const start = startKey(programmeId, date, shard);
    yield* queryEach<EntitlementRow>(tables.EntitlementStarts, {
      ...inPartition({ start }),
      Limit: pageRows,
      ...(after !== null && shard === first && { ExclusiveStartKey: { start, entitlementId: after } }),
    });
  }
}

/**
 * A user's entitlements, each with its rows there and an insurer's code in one transaction, since only it leads to these. Staff may
 * end one meanwhile.
 */
export const eraseEntitlements: Eraser<{
  readonly Entitlements: Entitlements<'query' | 'remove'>;
  readonly EntitlementStarts: EntitlementStarts<'remove'>;
  readonly IssuedAccessCodes: IssuedAccessCodes<'remove'>;
}> = async ({ tables }, { userId }) => {
  const { Entitlements, EntitlementStarts, IssuedAccessCodes } = tables;
  for await (const row of queryEach(Entitlements, inPartition({ userId }))) {
    const { entitlementId, accessCodeId, batchId, part } = row;
    // A row that leads nowhere is of no honest function, and holds up no erasure.
    const isWhole = [row.programmeId, row.startsAt, accessCodeId].every((text) => typeof text === 'string');
    const led =
      batchId && part
        ? remove(EntitlementStarts, { start: holdersKey({ batchId, part }), entitlementId })
        : remove(IssuedAccessCodes, insurerKey(accessCodeId));
    const items = [
      ...(isWhole ? [led, remove(EntitlementStarts, { start: startOf(row), entitlementId })] : []),
      remove(Entitlements, { userId, entitlementId }),
    ];
    await retryOnContention(async () => (await commit(items)) || contended);
  }
};
