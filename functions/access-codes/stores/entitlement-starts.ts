import { type DynamoDBDocumentClient, QueryCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { type Entitlement, type EntitlementRow, entitlementOf } from '../rules/entitlement.ts';
import { shardOf, startKey, startOf, startShards } from '../rules/entitlement-start.ts';
import { type Item, readGroup } from './code-rows.ts';
import { ofUser } from './entitlement-rows.ts';
import { insurerKey } from './issued-codes.ts';

/** Table `EntitlementStarts`: a row for each of `Entitlements`, written in the same transaction. */

export type StartTables = { readonly EntitlementStarts: string; readonly AccessCodeBatches: string };

export function putStart(table: string, row: EntitlementRow): Item {
  return { Put: { TableName: table, Item: { ...row, start: startOf(row) } } };
}

const pageRows = 100;

type Asked = {
  readonly programmeId: string;
  readonly date: string;
  readonly now: Date;
  /** The `entitlementId` to go on after; null: from the start. It need not be there any more. */
  readonly after?: string | null;
};

/** One of them: what was granted, and for who needs it how that stands now. */
export type Start = {
  readonly granted: EntitlementRow;
  readonly asItStands: () => Promise<Entitlement & { userId: string }>;
};

/** Those of a programme that start on a date of UTC, in an order of their own: a page at a time is in memory. */
export async function* readStarts(
  client: DynamoDBDocumentClient,
  tables: StartTables,
  { programmeId, date, now, after = null }: Asked,
): AsyncGenerator<Start> {
  const first = after === null ? startShards[0] : shardOf(after);
  for (const shard of startShards.slice(startShards.indexOf(first ?? ''))) {
    let next: Record<string, unknown> | undefined =
      after !== null && shard === first
        ? { start: startKey(programmeId, date, shard), entitlementId: after }
        : undefined;
    do {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: tables.EntitlementStarts,
          ConsistentRead: true,
          KeyConditionExpression: '#start = :start',
          ExpressionAttributeNames: { '#start': 'start' },
          ExpressionAttributeValues: { ':start': startKey(programmeId, date, shard) },
          Limit: pageRows,
          ExclusiveStartKey: next,
        }),
      );
      for (const row of Items as EntitlementRow[]) {
        const { batchId, part, userId } = row;
        const asItStands = async () => {
          const group = batchId && part ? await readGroup(client, tables.AccessCodeBatches, { batchId, part }) : null;
          return { userId, ...entitlementOf(row, group, now) };
        };
        yield { granted: row, asItStands };
      }
      next = LastEvaluatedKey;
    } while (next);
  }
}

/** A user's entitlements, each with its row there, and with an insurer's code: in one transaction, since it alone leads to these. */
export const eraseEntitlements: Eraser<'Entitlements' | 'EntitlementStarts' | 'IssuedAccessCodes'> = async (
  { dynamo, tables },
  { userId },
) => {
  const { Entitlements, EntitlementStarts, IssuedAccessCodes } = tables;
  for await (const row of queryEach<EntitlementRow>(dynamo, ofUser(Entitlements, userId))) {
    const { entitlementId, accessCodeId, batchId } = row;
    const keys = [
      ...(batchId === null ? [{ TableName: IssuedAccessCodes, Key: insurerKey(accessCodeId) }] : []),
      { TableName: EntitlementStarts, Key: { start: startOf(row), entitlementId } },
      { TableName: Entitlements, Key: { userId, entitlementId } },
    ];
    await dynamo.send(new TransactWriteCommand({ TransactItems: keys.map((Delete) => ({ Delete })) }));
  }
};
