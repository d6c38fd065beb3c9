import { isDeepStrictEqual } from 'node:util';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { unlessOvertaken, wasFirst } from '../../../lib/runtime/commit.ts';
import { Failure, isContention, isRefusedAt } from '../../../lib/runtime/failure.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { erasureNotBegun } from '../../erasure/exports.ts';
import { type PersonalExport, perDay } from '../rules/export.ts';

/**
 * Table `PersonalExports`. `~` sorts after every character of an id: a Query from the end meets `~latest` first, and then the
 * newest exports. Every read is strongly consistent.
 */

const latestKey = '~latest';

type Latest = { readonly exportId: typeof latestKey; readonly latestId: string };

export async function readExportRow(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, exportId }: { userId: string; exportId: string },
): Promise<PersonalExport | null> {
  const read = new GetCommand({ TableName: table, Key: { userId, exportId }, ConsistentRead: true });
  return ((await client.send(read)).Item as PersonalExport | undefined) ?? null;
}

/** A page of a person's exports, newest first. @param before the id that the last page ended with */
export async function listExportRows(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<{ rows: PersonalExport[]; hasMore: boolean }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'userId = :userId AND exportId < :before',
    ExpressionAttributeValues: { ':userId': userId, ':before': before ?? latestKey },
    ScanIndexForward: false,
  };
  return queryPage<PersonalExport>(client, query, limit);
}

export type Latests = { readonly latestId: string | null; readonly rows: readonly PersonalExport[] };

/** What a request is decided on: as many as a day allows, newest first, and which one is said to be the latest. */
export async function readLatest(client: DynamoDBDocumentClient, table: string, userId: string): Promise<Latests> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ConsistentRead: true,
      ScanIndexForward: false,
      Limit: perDay + 1,
    }),
  );
  const rows = Items as (PersonalExport | Latest)[];
  const latest = rows.find((row): row is Latest => row.exportId === latestKey);
  return {
    latestId: latest?.latestId ?? null,
    rows: rows.filter((row): row is PersonalExport => row.exportId !== latestKey),
  };
}

/**
 * Of two requests at once one is first: both change `~latest`. None is written once the person's erasure has begun.
 *
 * @returns false where another request was first
 * @throws a Failure `ACCOUNT_CLOSED`
 */
export async function addExport(
  client: DynamoDBDocumentClient,
  tables: { readonly PersonalExports: string; readonly Erasures: string },
  row: PersonalExport,
  latestId: string | null,
): Promise<boolean> {
  const { userId, exportId, expiresAt } = row;
  const TableName = tables.PersonalExports;
  const unchanged =
    latestId === null
      ? { ConditionExpression: 'attribute_not_exists(userId)' }
      : { ConditionExpression: 'latestId = :read', ExpressionAttributeValues: { ':read': latestId } };
  const latest = { userId, exportId: latestKey, latestId: exportId, expiresAt };
  const adding = new TransactWriteCommand({
    TransactItems: [
      { ConditionCheck: erasureNotBegun(tables.Erasures, userId) },
      { Put: { TableName, Item: latest, ...unchanged } },
      { Put: { TableName, Item: row, ConditionExpression: 'attribute_not_exists(userId)' } },
    ],
  });
  const added = client.send(adding).then(() => true);
  return unlessOvertaken(added, isContention, (error) => {
    if (isRefusedAt(error, 0)) throw new Failure(AccountClosed);
    return false;
  });
}

/** @returns false where another function has changed it, or the person was erased: nothing is written then */
export async function replaceExport(
  client: DynamoDBDocumentClient,
  table: string,
  before: PersonalExport,
  after: PersonalExport,
): Promise<boolean> {
  const replacing = new PutCommand({
    TableName: table,
    Item: after,
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: { ':read': before.revision },
  });
  if (await wasFirst(client.send(replacing))) return true;
  // The SDK repeats a call whose answer was lost: then it is ours that is there.
  const there = await readExportRow(client, table, after);
  return there !== null && isDeepStrictEqual(there, after);
}
