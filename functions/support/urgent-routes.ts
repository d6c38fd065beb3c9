import * as z from 'zod/mini';
import { CareRelations, dataSharing } from '../../lib/contract/access.ts';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, joined, read, replace } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { SiteNotFound } from '../crm-sites/errors.ts';
import { UserNotFound } from '../users/errors.ts';
import { TicketNotFound } from './errors.ts';
import { seeToUrgentTickets, seeToUrgentTicketsOfSites } from './permissions.ts';
import { UrgentTicket, UrgentTicketOfSite } from './schemas.ts';
import { SupportTickets } from './tables.ts';

/** The tickets of flags: of sites, and of clinical safety. */

const ofTicket = z.object({ ticketId: pathId(TicketNotFound) });
const acknowledges = [read(SupportTickets), replace(SupportTickets)] as const;

export const listUrgentTickets = route({
  method: 'GET',
  path: '/crm/urgent-tickets',
  summary: 'Urgent tickets that nobody has acknowledged, longest first',
  description:
    'Of a flag that a questionnaire raised: of a patient whose site does not see to it, from the start; else an hour after it, or once nobody at the site may see it any more. Each patient sees that the list was looked at.',
  applications: ['medinfo'],
  auth: seeToUrgentTickets,
  about: { each: 'userId', relation: 'safety' },
  uses: [read(SupportTickets)],
  items: UrgentTicket,
  errors: [],
});

export const acknowledgeUrgentTicket = route({
  method: 'POST',
  path: '/crm/urgent-tickets/{ticketId}/acknowledge',
  summary: 'Acknowledges an urgent ticket: the caller takes care of it',
  description: 'Idempotent: whoever was first stays.',
  applications: ['medinfo'],
  auth: seeToUrgentTickets,
  about: { each: 'userId', relation: 'safety' },
  uses: joined(acknowledges, [append(AuditEvents)]),
  params: ofTicket,
  response: UrgentTicket,
  errors: [TicketNotFound],
});

export const listUrgentTicketsOfSites = route({
  method: 'GET',
  path: '/crm/site-urgent-tickets',
  summary: "Urgent tickets of the caller's sites that nobody has acknowledged",
  description:
    'Site by site, and of each longest first. Only of patients who are with the site and consent to `data-sharing`, so that a page may hold fewer than ' +
    '`limit`: only `hasMore` says whether another follows. Each of these patients sees that the list was looked at.',
  applications: ['medinfo'],
  auth: seeToUrgentTicketsOfSites,
  about: { each: 'userId', relation: 'care', consent: dataSharing, withoutConsent: ['userId'] },
  uses: [read(SupportTickets), batch(CareRelations)],
  query: z.object({
    /** Only one of the caller's sites. */
    siteId: z.optional(Id),
  }),
  items: UrgentTicketOfSite,
  errors: [SiteNotFound],
});

export const acknowledgeUrgentTicketOfPatient = route({
  method: 'POST',
  path: '/crm/patients/{userId}/urgent-tickets/{ticketId}/acknowledge',
  summary: "Acknowledges an urgent ticket of a patient of the caller's sites",
  description:
    'Idempotent: whoever was first stays. The flag itself stays on the list of flags until `clinical-safety` has acknowledged it.',
  applications: ['medinfo'],
  auth: seeToUrgentTicketsOfSites,
  about: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: joined(acknowledges, [append(AuditEvents)]),
  params: z.object({ userId: pathId(UserNotFound), ticketId: pathId(TicketNotFound) }),
  response: UrgentTicket,
  errors: [UserNotFound, TicketNotFound],
});
