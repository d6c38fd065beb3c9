import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { partitionOf } from '../../consents/rules.ts';
import { chainKey } from '../rules/statistics-keys.ts';
import type { Counted, Recorded } from '../rules/tally.ts';

export type Chain = { agreementId: string; userId: string };

/** @returns null where nothing of the chain is counted yet */
export async function readCounted(
  client: DynamoDBDocumentClient,
  table: string,
  generation: number,
  { agreementId, userId }: Chain,
): Promise<Counted | null> {
  const Key = { agreementId, statisticsKey: chainKey(generation, userId) };
  const { Item } = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  if (!Item) return null;
  const { sequence, released, standing } = Item as Counted;
  return { sequence, released, standing };
}

/** All records of a chain, oldest first, and when they go: seconds since 1970, null while they are kept. */
export async function readChain(
  client: DynamoDBDocumentClient,
  table: string,
  chain: Chain,
): Promise<{ records: Recorded[]; expiresAt: number | null }> {
  const rows = await queryAll<Recorded & { expiresAt?: number }>(client, {
    TableName: table,
    KeyConditionExpression: 'userAgreement = :userAgreement',
    ExpressionAttributeValues: { ':userAgreement': partitionOf(chain) },
  });
  return { records: rows, expiresAt: rows.find((row) => row.expiresAt !== undefined)?.expiresAt ?? null };
}
