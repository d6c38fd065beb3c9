import * as z from 'zod/mini';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, batch, joined, read, replace } from '../../lib/contract/uses.ts';
import { CareRelations } from '../access/data-subject.ts';
import { AuditEvents } from '../audit/tables.ts';
import { SiteNotFound } from '../crm-sites/errors.ts';
import { dataSharing, safetyRole } from '../product.ts';
import { UserNotFound } from '../users/errors.ts';
import { TicketNotFound } from './errors.ts';
import { handleUrgentTickets, handleUrgentTicketsOfOwnSites } from './permissions.ts';
import { UrgentTicket, UrgentTicketOfSite } from './schemas.ts';
import { UrgentTickets } from './tables.ts';

/** The tickets of flags: of sites, and of clinical safety. */

const ofTicket = z.object({ ticketId: pathId(TicketNotFound) });
const acknowledges = [read(UrgentTickets), replace(UrgentTickets)] as const;

export const listUrgentTickets = route({
  method: 'GET',
  path: '/crm/urgent-tickets',
  summary: 'Urgent tickets that nobody has acknowledged, the longest wait first',
  description:
    'An urgent ticket comes from a flag that a questionnaire raised. If no site is responsible for the patient, the ticket is listed at ' +
    'once; otherwise an hour after the flag, or as soon as nobody at the site may see it any more. Each patient sees that somebody read the list.',
  applications: ['medinfo'],
  auth: handleUrgentTickets,
  dataSubject: { each: 'userId', relation: 'safety', role: safetyRole },
  uses: [read(UrgentTickets)],
  cursor: 'name',
  items: UrgentTicket,
  errors: [],
});

export const acknowledgeUrgentTicket = route({
  method: 'POST',
  path: '/crm/urgent-tickets/{ticketId}/acknowledge',
  summary: 'Acknowledges an urgent ticket: the caller takes care of it',
  description: 'Idempotent: the first person who acknowledged the ticket stays recorded.',
  applications: ['medinfo'],
  auth: handleUrgentTickets,
  dataSubject: { each: 'userId', relation: 'safety', role: safetyRole },
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
    'Sorted by site, and within a site by the longest wait. The list has only patients that are with the site and consent to `data-sharing`. So a page can have ' +
    'fewer tickets than `limit`: only `hasMore` says whether there is another page. Each of these patients sees that somebody read the list.',
  applications: ['medinfo'],
  auth: handleUrgentTicketsOfOwnSites,
  dataSubject: { each: 'userId', relation: 'care', consent: dataSharing, withoutConsent: ['userId'] },
  uses: [read(UrgentTickets), batch(CareRelations)],
  query: z.object({
    /** Only one of the caller's sites. */
    siteId: z.optional(Id),
  }),
  cursor: ['siteId', 'name'],
  items: UrgentTicketOfSite,
  errors: [SiteNotFound],
});

export const acknowledgeUrgentTicketOfPatient = route({
  method: 'POST',
  path: '/crm/patients/{userId}/urgent-tickets/{ticketId}/acknowledge',
  summary: "Acknowledges an urgent ticket of a patient of the caller's sites",
  description:
    'Idempotent: the first person who acknowledged the ticket stays recorded. The flag itself stays on the list of flags until `clinical-safety` has acknowledged it.',
  applications: ['medinfo'],
  auth: handleUrgentTicketsOfOwnSites,
  dataSubject: { param: 'userId', relation: 'care', consent: dataSharing },
  uses: joined(acknowledges, [append(AuditEvents)]),
  params: z.object({ userId: pathId(UserNotFound), ticketId: pathId(TicketNotFound) }),
  response: UrgentTicket,
  errors: [UserNotFound, TicketNotFound],
});
