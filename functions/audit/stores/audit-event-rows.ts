import { firstThatFit } from '../../../lib/runtime/page-size.ts';
import { query } from '../../../lib/runtime/rows.ts';
import { eventIdAt, type StoredEvent } from '../rules/audit-event.ts';
import type { AuditEvents } from '../tables.ts';

/** Table `AuditEvents`: an application's events by `eventId`, which increases with time. Reads are strongly consistent. */

export type Filter = {
  /** ISO 8601: from then on. */
  readonly from?: string | undefined;
  /** Until before then. */
  readonly to?: string | undefined;
  readonly actor?: string | undefined;
  readonly subject?: string | undefined;
};

export type EventPage = { events: StoredEvent[]; next: string | null };

/** Megabytes that one request looks through for what a filter lets pass; DynamoDB answers one at a time. */
const mostReads = 8;

/**
 * A page of events, newest first. It ends early where it grows too large or a filter passes too little: `next` is where
 * it goes on then, and null only where nothing is left.
 *
 * @param after the `eventId` that the previous page ended with, found or passed over
 */
export async function readEvents(
  table: AuditEvents<'query'>,
  application: string,
  filter: Filter,
  { limit, after }: { limit: number; after: string | null },
): Promise<EventPage> {
  const events: StoredEvent[] = [];
  let reached = after;
  for (let reads = 0; reads < mostReads; reads += 1) {
    const { found, next } = await readOnce(table, application, filter, { limit: limit + 1, after: reached });
    events.push(...found);
    const page = firstThatFit(events, limit);
    if (page.length < events.length) return { events: page, next: page.at(-1)?.eventId ?? null };
    if (next === null) return { events, next: null };
    reached = next;
  }
  return { events, next: reached };
}

async function readOnce(
  table: AuditEvents<'query'>,
  application: string,
  { from, to, actor, subject }: Filter,
  { limit, after }: { limit: number; after: string | null },
): Promise<{ found: StoredEvent[]; next: string | null }> {
  const first = from === undefined ? '0' : eventIdAt(new Date(from));
  // Digits sort before `~`; an event's id is longer than its time, so that one of `to` itself is left out.
  const last = to === undefined ? '~' : eventIdAt(new Date(to));
  // DynamoDB takes neither an empty range nor a start outside of it, as a cursor of another query has.
  if (first > last || (after !== null && after <= first)) return { found: [], next: null };
  const filters = Object.entries({ actor, subject }).filter((entry) => entry[1] !== undefined);
  const { Items = [], LastEvaluatedKey: end } = await query<StoredEvent>(table, {
    ScanIndexForward: false,
    KeyConditionExpression: 'application = :application AND eventId BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':application': application,
      ':first': first,
      ':last': last,
      ...Object.fromEntries(filters.map(([name, value]) => [`:${name}`, value])),
    },
    ...(filters.length > 0
      ? {
          FilterExpression: filters.map(([name]) => `#${name} = :${name}`).join(' AND '),
          ExpressionAttributeNames: Object.fromEntries(filters.map(([name]) => [`#${name}`, name])),
        }
      : // With a filter it would count what is looked at, not what passes.
        { Limit: limit }),
    ...(after !== null && after <= last && { ExclusiveStartKey: { application, eventId: after } }),
  });
  return { found: Items, next: end ? String(end.eventId) : null };
}
