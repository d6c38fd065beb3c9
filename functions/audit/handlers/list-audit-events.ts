import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { listAuditEvents } from '../routes.ts';
import { readEvents } from '../stores/audit-event-rows.ts';

export const handler = servePagesInSteps(
  listAuditEvents,
  lambdaWithClock,
)({
  read: ({ query, page, application, tables }) => {
    const after = page.after ? String(page.after.eventId) : null;
    return readEvents(tables.AuditEvents, application, query, { limit: page.limit, after });
  },
  answer: async (_asked, { events, next }) => ({ items: events, next: next === null ? null : { eventId: next } }),
});
