import { fitting } from '../../../lib/runtime/fitting.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { listUrgentTickets } from '../routes.ts';
import { UrgentTicketRow } from '../schemas.ts';
import { readForSafety } from '../stores/urgent-rows.ts';

export const handler = serve(listUrgentTickets)(async ({ page, now, tables }) => {
  const { found, next } = await readForSafety(tables.UrgentTickets, now, page);
  return { items: fitting(UrgentTicketRow, found), next };
});
