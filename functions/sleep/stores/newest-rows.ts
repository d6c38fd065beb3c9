import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { Episode } from '../rules/episode.ts';
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
  const { entries, next } = await readNewestDiary(client, table, userId, { limit, after });
  return { dates: entries.map(({ date }) => date), next };
}

/** The entries themselves. Of tombstones a page is the shorter. @param page `after`: the date that the page before ended with */
export async function readNewestDiary(client: DynamoDBDocumentClient, table: string, userId: string, page: Page) {
  const { limit, after } = page;
  const start = after === null ? {} : { ExclusiveStartKey: { userId, date: after } };
  const { rows, hasMore } = await queryPage<EntryRow>(client, { ...newestOf(table, userId), ...start }, limit);
  return { entries: rows.filter(isThere), next: hasMore ? (rows.at(-1)?.date ?? null) : null };
}

/** As it is kept: with its zone, and with the key by which a page goes on. */
type StoredEpisode = Episode & { readonly zone: string; readonly updatedAt: string; readonly episodeKey: string };

/** What devices recorded, by the date on which it ended. @param page `after`: the key that the page before ended with */
export async function readNewestEpisodes(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
  { limit, after }: Page,
): Promise<{ episodes: StoredEpisode[]; next: string | null }> {
  const query = {
    TableName: table,
    // A date's digits sort before the rows that only say which date an id has.
    KeyConditionExpression: 'userId = :userId AND episodeKey < :ids',
    ExpressionAttributeValues: { ':userId': userId, ':ids': 'id#' },
    ScanIndexForward: false,
    ...(after !== null && { ExclusiveStartKey: { userId, episodeKey: after } }),
  };
  const { rows, hasMore } = await queryPage<Partial<StoredEpisode> & { episodeKey: string }>(client, query, limit);
  return { episodes: rows.filter(isEpisode), next: hasMore ? (rows.at(-1)?.episodeKey ?? null) : null };
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

/** Not a row of keys alone, as somebody may have planted. */
function isEpisode(row: Partial<StoredEpisode>): row is StoredEpisode {
  return row.seconds !== undefined && row.startAt !== undefined && row.endAt !== undefined;
}

function newestOf(TableName: string, userId: string) {
  return {
    TableName,
    KeyConditionExpression: 'userId = :userId',
    ExpressionAttributeValues: { ':userId': userId },
    ScanIndexForward: false,
  };
}
