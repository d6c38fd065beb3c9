import { isDeepStrictEqual } from 'node:util';
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { isTime } from '../../../lib/contract/instant.ts';
import { unlessOvertaken, wasFirst } from '../../../lib/runtime/commit.ts';
import { Failure, isContention, isRefusedAt } from '../../../lib/runtime/failure.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { erasureNotBegun } from '../../erasure/exports.ts';
import { type AskedExport, exportOf, type PersonalExport, perDay } from '../rules/export.ts';

/**
 * Table `PersonalExports`. `~` sorts after every character of an id: a Query from the end meets `~latest` first, and then the
 * newest exports. Every read is strongly consistent.
 */

const latestKey = '~latest';

type Latest = { readonly exportId: typeof latestKey; readonly latestId: string };

/** Once it is begun, the row says twice what was asked for: who asks may write the one, and only who makes the export the other. */
type Row = Partial<AskedExport> & { readonly begun?: Pick<AskedExport, 'application' | 'requestedAt' | 'expiresAt'> };

/** @returns null for `~latest`, and for what somebody planted */
function readRow({ begun, ...row }: Row): PersonalExport | null {
  const asked = { ...row, ...begun };
  return isAsked(asked) ? exportOf(asked) : null;
}

function isAsked(row: Partial<AskedExport>): row is AskedExport {
  const { application, requestedAt, expiresAt } = row;
  return typeof application === 'string' && isTime(requestedAt) && typeof expiresAt === 'number';
}

export async function readExportRow(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, exportId }: { userId: string; exportId: string },
): Promise<PersonalExport | null> {
  const read = new GetCommand({ TableName: table, Key: { userId, exportId }, ConsistentRead: true });
  const { Item } = await client.send(read);
  return Item ? readRow(Item) : null;
}

/** A page of a person's exports, newest first. @param before the id that the last page ended with */
export async function listExportRows(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<{ rows: PersonalExport[]; next: string | null }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'userId = :userId AND exportId < :before',
    ExpressionAttributeValues: { ':userId': userId, ':before': before ?? latestKey },
    ScanIndexForward: false,
  };
  const { rows, hasMore } = await queryPage<Row>(client, query, limit);
  return { rows: rows.flatMap((row) => readRow(row) ?? []), next: hasMore ? (rows.at(-1)?.exportId ?? null) : null };
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
  const latest = (Items as (Row | Latest)[]).find((row): row is Latest => row.exportId === latestKey);
  return { latestId: latest?.latestId ?? null, rows: (Items as Row[]).flatMap((row) => readRow(row) ?? []) };
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
  row: AskedExport,
  latestId: string | null,
): Promise<boolean> {
  const { userId, exportId, ...said } = row;
  const TableName = tables.PersonalExports;
  const latest = {
    TableName,
    Key: { userId, exportId: latestKey },
    UpdateExpression: 'SET latestId = :new, expiresAt = :expiresAt',
    ConditionExpression: latestId === null ? 'attribute_not_exists(userId)' : 'latestId = :read',
    ExpressionAttributeValues: {
      ...{ ':new': exportId, ':expiresAt': said.expiresAt },
      ...(latestId !== null && { ':read': latestId }),
    },
  };
  const added = {
    TableName,
    Key: { userId, exportId },
    UpdateExpression: 'SET application = :application, requestedAt = :requestedAt, expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(userId)',
    ExpressionAttributeValues: Object.fromEntries(Object.entries(said).map(([name, value]) => [`:${name}`, value])),
  };
  const adding = new TransactWriteCommand({
    TransactItems: [
      { ConditionCheck: erasureNotBegun(tables.Erasures, userId) },
      { Update: latest },
      { Update: added },
    ],
  });
  const isAdded = client.send(adding).then(() => true);
  return unlessOvertaken(isAdded, isContention, (error) => {
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
  const { application, requestedAt, expiresAt } = after;
  const isStill =
    before.revision === 0
      ? { ConditionExpression: 'attribute_exists(userId) AND attribute_not_exists(revision)' }
      : { ConditionExpression: 'revision = :read', ExpressionAttributeValues: { ':read': before.revision } };
  const Item = { ...after, begun: { application, requestedAt, expiresAt } };
  const replacing = new PutCommand({ TableName: table, Item, ...isStill });
  if (await wasFirst(client.send(replacing))) return true;
  // The SDK repeats a call whose answer was lost: then it is ours that is there.
  const there = await readExportRow(client, table, after);
  return there !== null && isDeepStrictEqual(there, after);
}
