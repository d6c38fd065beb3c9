import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { readEvents } from './audit-store.ts';
import { listAuditEvents } from './routes.ts';

export const handler = serve(listAuditEvents)(async ({ query, page, application, tables }) => {
  const after = page.after ? String(page.after.eventId) : null;
  const place = { client: dynamo(), table: tables.AuditEvents };
  const { events, next } = await readEvents(place, application, query, { limit: page.limit, after });
  return { items: events, next: next === null ? null : { eventId: next } };
});
