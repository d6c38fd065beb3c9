import { succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { removeRow, updateRow } from '../../../lib/runtime/rows.ts';
import type { ConsentRecords, ConsentStates } from '../../access/consent-states.ts';
import { partitionOf } from '../../consents/rules.ts';
import type { ConsentReceipts } from '../../receipts/tables.ts';
import type { Chain } from '../rules/state.ts';

/**
 * The consent records of an erased user. The function runs as the environment's expiry role. Only this role may set
 * `expiresAt` of a record, and it may do nothing else.
 */

type ChainTables = {
  ConsentRecords: ConsentRecords<'query'>;
  ConsentStates: ConsentStates<'query'>;
};

type ExpiringTables = {
  ConsentRecords: ConsentRecords<'query' | 'updateRow'>;
  ConsentReceipts: ConsentReceipts<'query' | 'updateRow'>;
  ConsentStates: ConsentStates<'query' | 'removeRow'>;
};

type Key = { userAgreement: string; recordedAt: string };

/** The chain of each agreement for which the user has a record. */
export async function readChains(tables: ChainTables, userId: string): Promise<Chain[]> {
  const chains: Chain[] = [];
  for (const agreementId of await readAgreements(tables.ConsentStates, userId)) {
    let records = 0;
    let last = { sequence: 0, hash: '' };
    for await (const row of queryEach<Recorded>(tables.ConsentRecords, chainOf({ userId, agreementId }))) {
      if (row.hash === undefined) continue;
      records += 1;
      last = { sequence: row.sequence, hash: row.hash };
    }
    if (records > 0) chains.push({ agreementId, records, lastSequence: last.sequence, lastHash: last.hash });
  }
  return chains;
}

type Released = { userId: string; chains: readonly Chain[]; recordsExpireAt: string };

/**
 * All records of all chains, and their receipts, get the same expiry. Then the pointers are deleted. This includes the
 * chains of a restored table, besides the chains that were released.
 */
export async function expireChains(
  tables: ExpiringTables,
  { userId, chains, recordsExpireAt }: Released,
): Promise<void> {
  const expiresAt = Math.floor(Date.parse(recordsExpireAt) / 1000);
  const pointers = await readAgreements(tables.ConsentStates, userId);
  const agreements = new Set([...chains.map(({ agreementId }) => agreementId), ...pointers]);
  for (const table of [tables.ConsentRecords, tables.ConsentReceipts]) {
    for (const agreementId of agreements) {
      for await (const row of queryEach<Expiring>(table, chainOf({ userId, agreementId }))) {
        if (row.expiresAt !== expiresAt) await expire(table, row, expiresAt);
      }
    }
  }
  for (const agreementId of pointers) {
    await removeRow(tables.ConsentStates, { userId, agreementId });
  }
}

async function expire(
  table: ConsentRecords<'updateRow'> | ConsentReceipts<'updateRow'>,
  { userAgreement, recordedAt }: Key,
  at: number,
) {
  const expiring = updateRow(
    table,
    { userAgreement, recordedAt },
    {
      UpdateExpression: 'SET expiresAt = :at',
      // A deleted record must not come back as a row that has only an expiry.
      ConditionExpression: 'attribute_exists(userAgreement)',
      ExpressionAttributeValues: { ':at': at },
    },
  );
  await succeedsUnlessConflict(expiring);
}

async function readAgreements(table: ConsentStates<'query'>, userId: string): Promise<string[]> {
  const asked = only(inPartition({ userId }), ['agreementId']);
  const agreements: string[] = [];
  for await (const { agreementId } of queryEach<{ agreementId: string }>(table, asked)) agreements.push(agreementId);
  return agreements;
}

/** A row without a hash is not a record: somebody made a row that has only a key. */
type Recorded = { sequence: number; hash?: string };
type Expiring = Key & { expiresAt?: number };

/** Oldest first. */
function chainOf(owner: { userId: string; agreementId: string }) {
  return {
    KeyConditionExpression: 'userAgreement = :userAgreement',
    ExpressionAttributeValues: { ':userAgreement': partitionOf(owner) },
    ProjectionExpression: 'userAgreement, recordedAt, #sequence, #hash, expiresAt',
    ExpressionAttributeNames: { '#sequence': 'sequence', '#hash': 'hash' },
  };
}
