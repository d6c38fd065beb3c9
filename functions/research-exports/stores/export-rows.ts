import { isDeepStrictEqual } from 'node:util';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { wasFirst } from '../../../lib/runtime/commit.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { ResearchExport } from '../rules/export.ts';

/** Table `ResearchExports`. `~` sorts after every character of an id. Every read is strongly consistent. */

type Named = Pick<ResearchExport, 'studyId' | 'exportId'>;

const latestKey = '~latest';

export async function readExportRow(
  client: DynamoDBDocumentClient,
  table: string,
  { studyId, exportId }: Named,
): Promise<ResearchExport | null> {
  const Key = { studyId, exportId };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item as ResearchExport | undefined) ?? null;
}

/** A page of a study's exports, newest first. @param before the id that the last page ended with */
export async function listExportRows(
  client: DynamoDBDocumentClient,
  table: string,
  studyId: string,
  { limit, before }: { limit: number; before: string | null },
): Promise<{ rows: ResearchExport[]; hasMore: boolean }> {
  const query = {
    TableName: table,
    KeyConditionExpression: 'studyId = :studyId AND exportId < :before',
    ExpressionAttributeValues: { ':studyId': studyId, ':before': before ?? latestKey },
    ScanIndexForward: false,
  };
  return queryPage<ResearchExport>(client, query, limit);
}

/** Which export of a study was requested last. */
export async function readLatestId(
  client: DynamoDBDocumentClient,
  table: string,
  studyId: string,
): Promise<string | null> {
  const Key = { studyId, exportId: latestKey };
  const found = await client.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
  return (found.Item?.latestId as string | undefined) ?? null;
}

/** The items of the transaction that requests an export. If two requests come at once, only one succeeds, because both change `~latest`. */
export function putRequested(TableName: string, row: ResearchExport, latestId: string | null) {
  const { studyId, exportId } = row;
  const unchanged =
    latestId === null
      ? { ConditionExpression: 'attribute_not_exists(studyId)' }
      : { ConditionExpression: 'latestId = :read', ExpressionAttributeValues: { ':read': latestId } };
  const latest = { studyId, exportId: latestKey, latestId: exportId };
  return [
    { Put: { TableName, Item: latest, ...unchanged } },
    { Put: { TableName, Item: row, ConditionExpression: 'attribute_not_exists(studyId)' } },
  ];
}

/** The next step, on the condition that no other function has changed the row. */
export function putStep(TableName: string, before: ResearchExport, after: ResearchExport) {
  return {
    TableName,
    Item: after,
    ConditionExpression: 'revision = :read',
    ExpressionAttributeValues: { ':read': before.revision },
  };
}

/** @returns false if another function has changed it; then nothing is written */
export async function replaceExport(
  client: DynamoDBDocumentClient,
  table: string,
  before: ResearchExport,
  after: ResearchExport,
): Promise<boolean> {
  const isReplaced = await wasFirst(client.send(new PutCommand(putStep(table, before, after))));
  // The SDK repeats a call whose answer was lost. Then the row is our own.
  return isReplaced || isThere(client, table, after);
}

export async function isThere(client: DynamoDBDocumentClient, table: string, row: ResearchExport): Promise<boolean> {
  const found = await readExportRow(client, table, row);
  return found !== null && isDeepStrictEqual(found, row);
}
