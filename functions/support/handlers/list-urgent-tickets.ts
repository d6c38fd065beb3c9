import { fitting } from '../../../lib/runtime/fitting.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listUrgentTickets } from '../routes.ts';
import { UrgentTicketRow } from '../schemas.ts';
import { readForSafety } from '../stores/urgent-rows.ts';

export const handler = servePages(
  listUrgentTickets,
  lambdaWithAccess,
)(async ({ page: { limit, after }, now, tables }) => {
  const page = { limit, after: after && String(after.name) };
  const { found, next } = await readForSafety(tables.UrgentTickets, now, page);
  return { items: fitting(UrgentTicketRow, found), next: next === null ? null : { name: next } };
});
