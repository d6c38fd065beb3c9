import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { type EntryRow, isThere } from './entry-rows.ts';
import type { WindowRow } from './window-rows.ts';

/** Diary and windows newest first, for who shows them among other things. Every read is strongly consistent. */

type Page = { readonly limit: number; readonly after: string | null };

/** The dates that have an entry. Of tombstones a page is the shorter. @param page `after`: the date that the page before ended with */
export async function readNewestEntries(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: Page,
): Promise<{ dates: string[]; next: string | null }> {
  const start = after === null ? {} : { ExclusiveStartKey: { userId, date: after } };
  const { rows, hasMore } = await queryPage<EntryRow>(client, { ...newestOf(table, userId), ...start }, limit);
  const dates = rows.filter(isThere).map(({ date }) => date);
  return { dates, next: hasMore ? (rows.at(-1)?.date ?? null) : null };
}

/** What was released and taken back. @param page `after`: the number that the page before ended with */
export async function readNewestWindows(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: Page,
): Promise<{ windows: (WindowRow & { readonly number: string })[]; next: string | null }> {
  const start = after === null ? {} : { ExclusiveStartKey: { userId, number: after } };
  const query = { ...newestOf(table, userId), ...start };
  const { rows: windows, hasMore } = await queryPage<WindowRow & { number: string }>(client, query, limit);
  return { windows, next: hasMore ? (windows.at(-1)?.number ?? null) : null };
}

function newestOf(TableName: string, userId: string) {
  return {
    TableName,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ScanIndexForward: false,
  };
}
