import { dynamo } from '../../../lib/runtime/clients.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listUrgentTickets } from '../routes.ts';
import { readForSafety } from '../stores/urgent-rows.ts';

export const handler = servePages(
  listUrgentTickets,
  lambdaWithAccess,
)(async ({ page: { limit, after }, now, tables }) => {
  const page = { limit, after: after && String(after.name) };
  const { found, next } = await readForSafety(dynamo(), tables.SupportTickets, now, page);
  return { items: found, next: next === null ? null : { name: next } };
});
