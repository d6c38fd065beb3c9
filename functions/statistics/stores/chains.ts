import { inPartition } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { get } from '../../../lib/runtime/rows.ts';
import type { ConsentRecords } from '../../access/consent-states.ts';
import { partitionOf } from '../../consents/rules.ts';
import { type ChainRow, chainKey } from '../rules/statistics-keys.ts';
import type { Counted, Recorded } from '../rules/tally.ts';
import type { ConsentStatistics } from '../tables.ts';

export type Chain = { agreementId: string; userId: string };

/** @returns null where nothing of the chain is counted yet */
export async function readCounted(
  table: ConsentStatistics<'get'>,
  generation: number,
  { agreementId, userId }: Chain,
): Promise<Counted | null> {
  const row = await get<ChainRow>(table, { agreementId, statisticsKey: chainKey(generation, userId) });
  return row && { sequence: row.sequence, released: row.released, standing: row.standing };
}

/** All records of a chain, oldest first, and when they go: seconds since 1970, null while they are kept. */
export async function readChain(
  table: ConsentRecords<'query'>,
  chain: Chain,
): Promise<{ records: Recorded[]; expiresAt: number | null }> {
  const rows = await Array.fromAsync(queryEach(table, inPartition({ userAgreement: partitionOf(chain) })));
  return { records: rows, expiresAt: rows.find((row) => row.expiresAt !== undefined)?.expiresAt ?? null };
}
