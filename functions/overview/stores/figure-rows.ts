import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { commit, counting, succeedsUnlessConflict } from '../../../lib/runtime/commit.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import type { Thing } from '../rules/sources.ts';

/** Tables `OverviewFigures` and `OverviewEntries`. Reads are strongly consistent. */

export type OverviewTables = { readonly OverviewFigures: string; readonly OverviewEntries: string };

/** In which figures a thing counts. */
export type Counted = { readonly figures: readonly string[]; readonly revision: number };

export type Generations = { readonly current: number; readonly counting: number | null };

const generationsKey = { generation: 'generations', figure: 'current' } as const;

export async function readGenerations(client: DynamoDBDocumentClient, table: string): Promise<Generations> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: generationsKey, ConsistentRead: true }));
  return (Item as Generations | undefined) ?? { current: 1, counting: null };
}

/** @returns false where another rebuild was there first */
export async function moveGenerations(
  client: DynamoDBDocumentClient,
  table: string,
  from: Generations,
  to: Generations,
): Promise<boolean> {
  const moved = new PutCommand({
    TableName: table,
    Item: { ...generationsKey, ...to },
    ConditionExpression: 'attribute_not_exists(generation) OR (#current = :current AND counting = :counting)',
    ExpressionAttributeNames: { '#current': 'current' },
    ExpressionAttributeValues: { ':current': from.current, ':counting': from.counting },
  });
  return succeedsUnlessConflict(client.send(moved));
}

/** @param source the name of what it is one of */
export function entryOf(generation: number, source: string, { id }: Thing): string {
  return `${generation}#${source}#${id}`;
}

export async function readCounted(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  entry: string,
): Promise<Counted | null> {
  const { Item } = await client.send(
    new GetCommand({ TableName: table, Key: { userId, entry }, ConsistentRead: true }),
  );
  return (Item as Counted | undefined) ?? null;
}

/** What is counted: a row of its own table. */
export async function readRow(
  client: DynamoDBDocumentClient,
  table: string,
  key: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>> | null> {
  const { Item } = await client.send(new GetCommand({ TableName: table, Key: { ...key }, ConsistentRead: true }));
  return Item ?? null;
}

/**
 * The thing's entry and the figures that this changes, in one transaction.
 *
 * @param to empty: it counts in none, and has no entry
 * @returns false where another writer was there first
 */
export async function isMoved(
  client: DynamoDBDocumentClient,
  tables: OverviewTables,
  { userId, entry }: { readonly userId: string; readonly entry: string },
  before: Counted | null,
  to: readonly string[],
): Promise<boolean> {
  const from = Array.isArray(before?.figures) ? before.figures : [];
  const isStill = before
    ? { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': before.revision } }
    : { ConditionExpression: 'attribute_not_exists(userId)' };
  const Item = { userId, entry, figures: to, revision: (before?.revision ?? 0) + 1 };
  const [generation = ''] = entry.split('#');
  const added = (figure: string, by: number) => {
    const Update = {
      TableName: tables.OverviewFigures,
      Key: { generation, figure },
      UpdateExpression: 'ADD #count :by',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':by': by },
    };
    return counting({ Update });
  };
  const own =
    to.length > 0
      ? { Put: { TableName: tables.OverviewEntries, Item, ...isStill } }
      : { Delete: { TableName: tables.OverviewEntries, Key: { userId, entry }, ...isStill } };
  return commit(client, [
    own,
    ...from.filter((figure) => !to.includes(figure)).map((figure) => added(figure, -1)),
    ...to.filter((figure) => !from.includes(figure)).map((figure) => added(figure, 1)),
  ]);
}

/** Those whose names begin so, from `from` on. */
export async function readFigures(
  client: DynamoDBDocumentClient,
  table: string,
  generation: number,
  prefix: string,
  from = '',
): Promise<Map<string, number>> {
  const rows = await queryAll<{ figure: string; count: number }>(client, {
    TableName: table,
    KeyConditionExpression: 'generation = :generation AND figure BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':generation': String(generation),
      ':first': `${prefix}${from}`,
      ':last': `${prefix}~`,
    },
  });
  return new Map(rows.map(({ figure, count }) => [figure, count]));
}
