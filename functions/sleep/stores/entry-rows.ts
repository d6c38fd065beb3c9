import { between, inPartition } from '../../../lib/runtime/key-range.ts';
import type { RowHandle } from '../../../lib/runtime/last-write-wins-rows.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import { knownZone } from '../../users/rules.ts';
import type { Range } from '../rules/dates.ts';
import { type EntryContent, figuresOf } from '../rules/entry-content.ts';
import type { Night } from '../rules/night.ts';
import type { EntryRow, SleepEntries } from '../tables.ts';

/** Table `SleepEntries`. Every read is strongly consistent, so patients always read what they have written. */

type Written = EntryRow & { readonly content: EntryContent; readonly night: Night };

export function entryHandle(table: SleepEntries<'get' | 'put'>, userId: string, date: string): RowHandle<EntryRow> {
  return { table, key: { userId, date } };
}

export function isThere<R extends EntryRow>(row: R | null): row is R & Written {
  // `!=` on purpose: a row that has only keys, or no zone, which somebody may have planted, is not an entry either.
  return row !== null && !row.isDeleted && row.content != null && row.night != null && isZone(row.content.zone);
}

/** Of a year's entries, most have the zone of the one before. */
const zones = new Set<string>();

function isZone(zone: string): boolean {
  if (!zones.has(zone) && knownZone(zone) !== null) zones.add(zone);
  return zones.has(zone);
}

/** The entry in the form of the answer. */
export function shownEntry(row: Written) {
  const { date, content, night, recordedAt, updatedAt, replacedAt } = row;
  return { date, ...content, figures: figuresOf(night), recordedAt, updatedAt, replacedAt };
}

function inRange(userId: string, { from, to }: Range) {
  return inPartition({ userId }, { date: between(from, to) });
}

/** A page of a range's entries by date. Tombstones are left out, so a page can be shorter than the limit.
 *
 * @param after the date that the previous page ended with
 */
export async function readEntryPage(
  table: SleepEntries<'query'>,
  { userId, ...range }: Range & { userId: string },
  { limit, after }: { limit: number; after: string | null },
): Promise<{ entries: Written[]; next: string | null }> {
  const query = inPartition({ userId }, { date: between(range.from, range.to) }, after);
  const { rows, next } = await queryPage(table, query, limit);
  return { entries: rows.filter(isThere), next };
}

/** All entries of a range, by date. */
export async function readEntries(
  table: SleepEntries<'query'>,
  { userId, ...range }: Range & { userId: string },
): Promise<Written[]> {
  return (await queryAll(table, inRange(userId, range))).filter(isThere);
}

/**
 * Each date has one row. So these many rows include the last seven days in any zone, even if the clock was set back a
 * little.
 */
const latest = 10;

/** The latest entries, oldest first. A caller who finds a date or a week in them needs no time for the read. */
export async function readLatestEntries(table: SleepEntries<'query'>, userId: string): Promise<Written[]> {
  const { rows } = await queryPage(table, { ...inPartition({ userId }), ScanIndexForward: false }, latest);
  return rows.filter(isThere).toReversed();
}
