import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Eraser } from '../../../lib/runtime/eraser.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { type Content, type Notice, noticeOf, type Occasion } from '../rules/notice.ts';

/** Tables `ResearchExportContents` and `ResearchExportNotices`. */

type Tables = { readonly ResearchExportContents: string; readonly ResearchExportNotices: string };

/** The exports that a user is in. @param studyId of one study alone, or null */
function contentsOf(client: DynamoDBDocumentClient, TableName: string, userId: string, studyId: string | null) {
  const ofStudy = studyId === null ? '' : ' AND begins_with(exportKey, :prefix)';
  return queryEach<Content>(client, {
    TableName,
    KeyConditionExpression: `userId = :userId${ofStudy}`,
    ExpressionAttributeValues: { ':userId': userId, ...(studyId !== null && { ':prefix': `${studyId}#` }) },
  });
}

/**
 * Puts a notice for each export that the user is in. It can be repeated: the same notice takes the place of the first.
 *
 * @returns how many there are
 */
export async function putNotices(
  client: DynamoDBDocumentClient,
  tables: Tables,
  { userId, studyId }: { userId: string; studyId: string | null },
  occasion: Occasion,
  isConcerned: (content: Content) => boolean = () => true,
): Promise<number> {
  let count = 0;
  for await (const content of contentsOf(client, tables.ResearchExportContents, userId, studyId)) {
    if (!isConcerned(content)) continue;
    count += 1;
    await putNotice(client, tables.ResearchExportNotices, noticeOf(content, occasion));
  }
  return count;
}

async function putNotice(client: DynamoDBDocumentClient, TableName: string, Item: Notice): Promise<void> {
  await client.send(new PutCommand({ TableName, Item }));
}

/** The notice first: after a crash between the two the repetition puts it again. */
export const eraseExportContents: Eraser<keyof Tables> = async ({ dynamo, tables }, { userId, erasedAt }) => {
  const TableName = tables.ResearchExportContents;
  for await (const content of contentsOf(dynamo, TableName, userId, null)) {
    const notice = noticeOf(content, { reason: 'erased', at: erasedAt });
    await putNotice(dynamo, tables.ResearchExportNotices, notice);
    await dynamo.send(new DeleteCommand({ TableName, Key: { userId, exportKey: content.exportKey } }));
  }
};

/** A page of a study's notices, by export. @param exportId of one export alone, or null */
export async function listNotices(
  client: DynamoDBDocumentClient,
  TableName: string,
  { studyId, exportId }: { studyId: string; exportId: string | null },
  { limit, after }: { limit: number; after: string | null },
): Promise<{ notices: Notice[]; next: string | null }> {
  const prefix = exportId === null ? '' : `${exportId}#`;
  // DynamoDB takes no start outside of the range, as a cursor of another list has.
  if (after !== null && !after.startsWith(prefix)) return { notices: [], next: null };
  const query = {
    TableName,
    KeyConditionExpression: `studyId = :studyId${exportId === null ? '' : ' AND begins_with(noticeKey, :prefix)'}`,
    ExpressionAttributeValues: { ':studyId': studyId, ...(exportId !== null && { ':prefix': prefix }) },
    ...(after !== null && { ExclusiveStartKey: { studyId, noticeKey: after } }),
  };
  const { rows: notices, hasMore } = await queryPage<Notice>(client, query, limit);
  return { notices, next: hasMore ? (notices.at(-1)?.noticeKey ?? null) : null };
}

/** Whose rows are to be deleted from an export. */
export async function* readWithdrawn(
  client: DynamoDBDocumentClient,
  TableName: string,
  { studyId, exportId }: { studyId: string; exportId: string },
): AsyncGenerator<string> {
  const query = {
    TableName,
    KeyConditionExpression: 'studyId = :studyId AND begins_with(noticeKey, :prefix)',
    ExpressionAttributeValues: { ':studyId': studyId },
  };
  // Also of those who allow to keep what is exported: this export is not yet.
  for (const action of ['delete', 'keep']) {
    const values = { ...query.ExpressionAttributeValues, ':prefix': `${exportId}#${action}#` };
    for await (const { pseudonym } of queryEach<Notice>(client, { ...query, ExpressionAttributeValues: values })) {
      yield pseudonym;
    }
  }
}

/** Whether somebody is in its files who is to be deleted from them. */
export async function hasToBeDeleted(
  client: DynamoDBDocumentClient,
  TableName: string,
  { studyId, exportId }: { studyId: string; exportId: string },
): Promise<boolean> {
  const query = {
    TableName,
    KeyConditionExpression: 'studyId = :studyId AND begins_with(noticeKey, :prefix)',
    ExpressionAttributeValues: { ':studyId': studyId, ':prefix': `${exportId}#delete#` },
  };
  return (await queryPage(client, query, 1)).rows.length > 0;
}
