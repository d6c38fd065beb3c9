import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { listAuditEvents } from '../routes.ts';
import { readEvents } from '../stores/audit-event-rows.ts';

export const handler = serveWithPrefetch(listAuditEvents)({
  prefetch: ({ query, page, application, tables }) => {
    return readEvents(tables.AuditEvents, application, query, page);
  },
  respond: async (_asked, { events, next }) => ({ items: events, next }),
});
