import { batchGet } from '../../../lib/runtime/batch-get.ts';
import { fitting } from '../../../lib/runtime/fitting.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { CareRelations } from '../../access/data-subject.ts';
import { SiteNotFound } from '../../crm-sites/errors.ts';
import { listUrgentTicketsOfSites } from '../routes.ts';
import type { UrgentTicket } from '../rules/urgent-ticket.ts';
import { UrgentTicketRow } from '../schemas.ts';
import { readOfSites } from '../stores/urgent-rows.ts';

export const handler = serve(listUrgentTicketsOfSites)(async ({ dataSubject, query, page, tables, fail }) => {
  const sites = dataSubject.sites.filter((siteId) => query.siteId === undefined || siteId === query.siteId);
  if (query.siteId !== undefined && sites.length === 0) return fail(SiteNotFound);
  const { found: rows, next } = await readOfSites(tables.UrgentTickets, sites, page);
  const found = fitting(UrgentTicketRow, rows);
  const [consents, relations] = await Promise.all([
    dataSubject.consentsOf([...new Set(found.map(({ userId }) => userId))]),
    relationsOf(tables[CareRelations.name], found),
  ]);
  // Who left the site or consents no more is nobody's of the site: after the hour `clinical-safety` sees to it.
  const isShown = ({ userId, siteId }: UrgentTicket) => consents.has(userId) && relations.has(`${userId}#${siteId}`);
  return { items: found.filter(isShown), next };
});

async function relationsOf(
  table: CareRelations<'batchGet'>,
  tickets: readonly UrgentTicket[],
): Promise<ReadonlySet<string>> {
  const pairs = new Map(
    tickets.flatMap(({ userId, siteId }) =>
      siteId === null ? [] : [[`${userId}#${siteId}`, { userId, siteId }] as const],
    ),
  );
  if (pairs.size === 0) return new Set();
  const found = await batchGet(table, [...pairs.values()]);
  return new Set(found.map(({ userId, siteId }) => `${userId}#${siteId}`));
}
