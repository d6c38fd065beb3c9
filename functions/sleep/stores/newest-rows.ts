import { all, below, inPartition } from '../../../lib/runtime/key-range.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { SleepWindows } from '../../window-runs/tables.ts';
import type { EpisodeRow } from '../rules/episode.ts';
import type { SleepEntries, SleepEpisodes } from '../tables.ts';
import { isThere } from './entry-rows.ts';
import type { WindowRow } from './window-rows.ts';

/**
 * Diary, episodes and windows, newest first, for domains that show them with other data. Every read is strongly
 * consistent.
 */

type Page = { readonly limit: number; readonly after: string | null };

/**
 * The dates that have an entry. Tombstones make a page shorter.
 *
 * @param page `after`: the last date of the previous page
 */
export async function readNewestEntries(
  table: SleepEntries<'query'>,
  userId: string,
  { limit, after }: Page,
): Promise<{ dates: string[]; next: string | null }> {
  const { entries, next } = await readNewestDiary(table, userId, { limit, after });
  return { dates: entries.map(({ date }) => date), next };
}

/** The entries themselves. Tombstones make a page shorter. @param page `after`: the last date of the previous page */
export async function readNewestDiary(table: SleepEntries<'query'>, userId: string, page: Page) {
  const query = { ...inPartition({ userId }, { date: all }, page.after), ScanIndexForward: false };
  const { rows, next } = await queryPage(table, query, page.limit);
  return { entries: rows.filter(isThere), next };
}

/**
 * The episodes from devices, by the date on which they ended.
 *
 * @param page `after`: the last key of the previous page
 */
export async function readNewestEpisodes(
  table: SleepEpisodes<'query'>,
  userId: string,
  { limit, after }: Page,
): Promise<{ episodes: EpisodeRow[]; next: string | null }> {
  const query = {
    // Keys that begin with a date sort before the rows that only say which date an id has.
    ...inPartition({ userId }, { episodeKey: below('id#') }, after),
    ScanIndexForward: false,
  };
  const { rows, next } = await queryPage<Partial<EpisodeRow>>(table, query, limit);
  return { episodes: rows.filter(isEpisode), next };
}

/** The released windows and the withdrawals. @param page `after`: the last number of the previous page */
export async function readNewestWindows(
  table: SleepWindows<'query'>,
  userId: string,
  { limit, after }: Page,
): Promise<{ windows: (WindowRow & { readonly number: string })[]; next: string | null }> {
  const query = { ...inPartition({ userId }, { number: all }, after), ScanIndexForward: false };
  const { rows: windows, next } = await queryPage<WindowRow & { number: string }>(table, query, limit);
  return { windows, next };
}

/** Leaves out rows that have only keys, which somebody may have planted. */
function isEpisode(row: Partial<EpisodeRow>): row is EpisodeRow {
  return row.seconds !== undefined && row.startAt !== undefined && row.endAt !== undefined;
}
