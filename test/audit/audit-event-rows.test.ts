import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { auditPut } from '../../functions/audit/exports.ts';
import { type AuditEvent, auditEvent, type StoredEvent } from '../../functions/audit/rules/audit-event.ts';
import { type Filter, readEvents } from '../../functions/audit/stores/audit-event-rows.ts';
import { auditAction } from '../../lib/contract/audit-actions.ts';
import { transact } from '../../lib/runtime/commit.ts';
import { localTables } from '../local-tables.ts';

const { tables } = await localTables(['AuditEvents']);
const table = tables.AuditEvents;

beforeAll(async () => {
  for (const [application, events] of Object.entries({ few, large })) await append(application, events);
});

async function append(application: string, events: readonly AuditEvent[]) {
  for (const event of events) await transact([auditPut(table, { ...event, application })]);
}

const done = auditAction('thing.done');
const start = Date.UTC(2026, 2, 1);

function event(index: number, more: Partial<AuditEvent> = {}): AuditEvent {
  return auditEvent({
    application: 'few',
    actor: `actor-${index % 3}`,
    action: done,
    subject: `subject-${index % 4}`,
    requestId: String(index),
    before: null,
    after: { index },
    // Two in each second.
    realNow: new Date(start + Math.floor(index / 2) * 1_000),
    random: `${String(index).padStart(8, '0')}-and-more`,
    ...more,
  });
}

const few = Array.from({ length: 40 }, (_, index) => event(index));
/** About 14 MB; only the first of them belongs to somebody. */
const large = Array.from({ length: 45 }, (_, index) =>
  event(index, { actor: index === 0 ? 'rare' : 'usual', after: { text: 'x'.repeat(300_000) } }),
);

/** Every page, as a client reads them. */
async function pages(application: string, filter: Filter, limit: number): Promise<StoredEvent[][]> {
  const found: StoredEvent[][] = [];
  let after: string | null = null;
  do {
    const page = await readEvents(table, application, filter, { limit, after });
    found.push(page.events);
    after = page.next;
  } while (after !== null);
  return found;
}

function asked(events: readonly AuditEvent[], { from, to, actor, subject }: Filter): string[] {
  return events
    .filter((each) => (from === undefined || each.at >= from) && (to === undefined || each.at < to))
    .filter((each) => (actor ?? each.actor) === each.actor && (subject ?? each.subject) === each.subject)
    .map(({ eventId }) => eventId)
    .reverse();
}

const time = fc.option(
  fc.integer({ min: -2_000, max: 22_000 }).map((ms) => new Date(start + ms).toISOString()),
  { nil: undefined },
);
const anyFilter: fc.Arbitrary<Filter> = fc.record({
  from: time,
  to: time,
  actor: fc.constantFrom(undefined, 'actor-0', 'actor-1', 'nobody'),
  subject: fc.constantFrom(undefined, 'subject-0', 'subject-3'),
});

test('the pages of any query together are its result, newest first, and no page is empty unless it is the only one', async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, fc.integer({ min: 1, max: 50 }), async (filter, limit) => {
      const found = await pages('few', filter, limit);
      expect(found.flat().map(({ eventId }) => eventId)).toEqual(asked(few, filter));
      expect(found.every((page) => page.length <= limit && (page.length > 0 || found.length === 1))).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test("a cursor of another query goes on from its place in this one's", async () => {
  await fc.assert(
    fc.asyncProperty(anyFilter, fc.constantFrom(...few), async (filter, { eventId: after }) => {
      const { events } = await readEvents(table, 'few', filter, { limit: 100, after });
      expect(events.map(({ eventId }) => eventId)).toEqual(asked(few, filter).filter((id) => id < after));
    }),
    { numRuns: 60 },
  );
});

test('large events come in more pages, each of which fits an answer', async () => {
  const found = await pages('large', {}, 100);
  expect(found.length).toBeGreaterThan(2);
  expect(found.flat()).toHaveLength(45);
  for (const page of found) expect(JSON.stringify(page).length).toBeLessThan(4_000_000);
});

test('rows that rarely match a filter are found on later pages', async () => {
  const found = await pages('large', { actor: 'rare' }, 20);
  expect(found.flat()).toHaveLength(1);
  expect(found[0]).toHaveLength(0);
});
