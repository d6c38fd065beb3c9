import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Stamp } from '../../../lib/runtime/latest-write.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { queryPage } from '../../../lib/runtime/query-page.ts';
import type { Place } from '../../../lib/runtime/write-latest.ts';
import type { Range } from '../rules/dates.ts';
import { type EntryContent, figuresOf } from '../rules/entry-content.ts';
import type { Night } from '../rules/night.ts';

/** Table `SleepEntries`. Every read is strongly consistent: what the patient wrote is there when it is read again. */

/** With what is reckoned of it, so that no reader does it again. Both null: a tombstone. */
export type EntryRow = Stamp & {
  readonly date: string;
  readonly content: EntryContent | null;
  readonly night: Night | null;
};

type Written = EntryRow & { readonly content: EntryContent; readonly night: Night };

export function placeOfEntry(table: string, userId: string, date: string): Place {
  return { table, key: { userId, date } };
}

export function isThere(row: EntryRow | null): row is Written {
  // Loosely: a row of keys alone, as somebody may have planted, is none either.
  return row !== null && !row.isDeleted && row.content != null && row.night != null;
}

/** As it is answered. */
export function shownEntry(row: Written) {
  const { date, content, night, recordedAt, updatedAt, replacedAt } = row;
  return { date, ...content, figures: figuresOf(night), recordedAt, updatedAt, replacedAt };
}

function inRange(table: string, userId: string, { from, to }: Range) {
  return {
    TableName: table,
    KeyConditionExpression: 'userId = :userId AND #date BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#date': 'date' },
    ExpressionAttributeValues: { ':userId': userId, ':from': from, ':to': to },
  };
}

/**
 * A page of a range's entries by date. Of tombstones it is the shorter.
 *
 * @param after the date that the previous page ended with
 */
export async function readEntryPage(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, ...range }: Range & { userId: string },
  { limit, after }: { limit: number; after: string | null },
): Promise<{ entries: Written[]; next: string | null }> {
  // DynamoDB takes no start outside of the range, as a cursor of another range has.
  if (after !== null && (after < range.from || after > range.to)) return { entries: [], next: null };
  const query = {
    ...inRange(table, userId, range),
    ...(after !== null && { ExclusiveStartKey: { userId, date: after } }),
  };
  const { rows, hasMore } = await queryPage<EntryRow>(client, query, limit);
  return { entries: rows.filter(isThere), next: hasMore ? (rows.at(-1)?.date ?? null) : null };
}

/** All of a range, by date. */
export async function readEntries(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, ...range }: Range & { userId: string },
): Promise<Written[]> {
  return (await queryAll<EntryRow>(client, inRange(table, userId, range))).filter(isThere);
}

/** A date has one row, so that these hold today's, in whichever zone, also where the clock was set back a little. */
const latest = 8;

/** The wake dates of the latest entries, for what asks whether today's is written. It needs no time. */
export async function readLatestDates(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await queryPage<EntryRow>(
    client,
    {
      TableName: table,
      KeyConditionExpression: 'userId = :userId',
      ExpressionAttributeValues: { ':userId': userId },
      ScanIndexForward: false,
    },
    latest,
  );
  return new Set(rows.filter(isThere).map(({ date }) => date));
}
