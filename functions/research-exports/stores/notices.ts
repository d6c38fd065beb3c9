import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import {
  type Content,
  isBefore,
  isConcernedBy,
  type Notice,
  noticeOf,
  type Occasion,
  participantKeyOf,
} from '../rules/notice.ts';

/** Tables `ResearchExportContents` and `ResearchExportNotices`. */

type Tables = { readonly ResearchExportContents: string; readonly ResearchExportNotices: string };

type Named = Pick<Content, 'studyId' | 'pseudonym'>;

/**
 * Puts a notice for each export that the participant is in. It can be repeated: the same notice takes the place of the first.
 *
 * @param before only exports that rest on an earlier consent than the one of this number; null: all
 * @returns how many there are
 */
export async function putNotices(
  client: DynamoDBDocumentClient,
  tables: Tables,
  participant: Named,
  occasion: Occasion,
  before: number | null = null,
): Promise<number> {
  let count = 0;
  const contents = queryEach<Content>(client, {
    TableName: tables.ResearchExportContents,
    KeyConditionExpression: 'participantKey = :participantKey',
    ExpressionAttributeValues: { ':participantKey': participantKeyOf(participant) },
  });
  for await (const content of contents) {
    if (!isBefore(content, before)) continue;
    if (occasion.reason === 'amended' && !isConcernedBy(content, occasion)) continue;
    count += 1;
    const Item: Notice = noticeOf(content, occasion);
    await client.send(new PutCommand({ TableName: tables.ResearchExportNotices, Item }));
  }
  return count;
}

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
