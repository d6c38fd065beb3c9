import * as z from 'zod/mini';
import { CareRelations } from '../../lib/contract/access.ts';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { AgentBoardMessages } from '../agent-board/tables.ts';
import { AuditEvents } from '../audit/tables.ts';
import { Sites } from '../crm-sites/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { Users } from '../users/tables.ts';
import {
  PatientAccountClosed,
  TicketClosed,
  TicketLimitReached,
  TicketNotFound,
  TicketTransitionRefused,
} from './errors.ts';
import { readOwnTickets, workOnTickets, writeOwnTickets } from './permissions.ts';
import { OwnTicket, OwnTicketComment, subject, Ticket, TicketComment, text } from './schemas.ts';
import { SupportTickets } from './tables.ts';

export * from './urgent-routes.ts';

const ofTicket = z.object({ ticketId: pathId(TicketNotFound) });
/** With the count of the patient's tickets that are not solved, and the hours of the site. */
const changes = [read(SupportTickets), replace(SupportTickets), adjust(SupportTickets), get(Sites)] as const;

export const openTicket = route({
  method: 'POST',
  path: '/support/tickets',
  summary: 'Opens a ticket',
  description: withKeyNote(
    "`body` is the ticket's first comment. The support answers there, and the agent board says that it has. With 20 tickets that are neither solved nor closed, 409 `TICKET_LIMIT_REACHED`.",
  ),
  applications: ['sleepcare'],
  auth: writeOwnTickets,
  uses: joined(joined(changes, [read(CareRelations)]), idempotencyUses),
  headers: idempotencyHeaders,
  body: z.object({ subject, body: text }),
  status: 201,
  response: OwnTicket,
  errors: [TicketLimitReached, IdempotencyKeyReused],
});

export const listOwnTickets = route({
  method: 'GET',
  path: '/support/tickets',
  summary: "The caller's tickets, newest first",
  applications: ['sleepcare'],
  auth: readOwnTickets,
  uses: [read(SupportTickets)],
  items: OwnTicket,
  errors: [],
});

export const readOwnTicket = route({
  method: 'GET',
  path: '/support/tickets/{ticketId}',
  summary: "One of the caller's tickets",
  applications: ['sleepcare'],
  auth: readOwnTickets,
  uses: [read(SupportTickets)],
  params: ofTicket,
  response: OwnTicket,
  errors: [TicketNotFound],
});

export const listOwnTicketComments = route({
  method: 'GET',
  path: '/support/tickets/{ticketId}/comments',
  summary: "The comments on one of the caller's tickets, oldest first",
  applications: ['sleepcare'],
  auth: readOwnTickets,
  uses: [read(SupportTickets)],
  params: ofTicket,
  items: OwnTicketComment,
  errors: [TicketNotFound],
});

export const addOwnTicketComment = route({
  method: 'POST',
  path: '/support/tickets/{ticketId}/comments',
  summary: "Comments on one of the caller's tickets",
  description: withKeyNote(
    'A ticket for which the support had waited is open again. So is one that was solved, up to 14 days after it; then 409 `TICKET_CLOSED`.',
  ),
  applications: ['sleepcare'],
  auth: writeOwnTickets,
  uses: joined(changes, idempotencyUses),
  headers: idempotencyHeaders,
  params: ofTicket,
  body: z.object({ body: text }),
  status: 201,
  response: OwnTicketComment,
  errors: [TicketNotFound, TicketClosed, IdempotencyKeyReused],
});

export const listTickets = route({
  method: 'GET',
  path: '/crm/tickets',
  summary: 'The tickets of one list of the support, oldest first',
  description:
    'One of the parameters says which list; without any it is `state=new`. All but `state` have only what is unsolved. `overdue=true`: what waits ' +
    'too long for the first answer or the solution, longest first. Each patient sees that the list was looked at.',
  applications: ['medinfo'],
  auth: workOnTickets,
  about: { each: 'userId', relation: 'support' },
  uses: [read(SupportTickets)],
  query: z.object({
    state: z.optional(z.enum(['new', 'open', 'pending', 'solved', 'closed', 'reopened'])),
    priority: z.optional(z.enum(['low', 'normal', 'high', 'urgent'])),
    assigneeId: z.optional(Id),
    siteId: z.optional(Id),
    overdue: z.optional(z.literal('true')),
  }),
  items: Ticket,
  errors: [ValidationFailed],
});

export const readTicket = route({
  method: 'GET',
  path: '/crm/tickets/{ticketId}',
  summary: 'A ticket',
  applications: ['medinfo'],
  auth: workOnTickets,
  about: { each: 'userId', relation: 'support' },
  uses: [read(SupportTickets)],
  params: ofTicket,
  response: Ticket,
  etag: true,
  errors: [TicketNotFound],
});

export const listTicketComments = route({
  method: 'GET',
  path: '/crm/tickets/{ticketId}/comments',
  summary: 'The comments on a ticket, with internal notes, oldest first',
  applications: ['medinfo'],
  auth: workOnTickets,
  about: { each: 'userId', relation: 'support' },
  uses: [read(SupportTickets)],
  params: ofTicket,
  items: TicketComment,
  errors: [TicketNotFound],
});

const ifMatch = z.object({ 'if-match': z.optional(z.string()) });

export const changeTicket = route({
  method: 'PATCH',
  path: '/crm/tickets/{ticketId}',
  summary: 'Assigns a ticket, or changes its priority',
  description:
    'Of the staff, whoever has used the app; null: to nobody. With another priority the due times are computed anew, from when the ticket began to wait; that of the first answer only until it is given. `If-Match` is required.',
  applications: ['medinfo'],
  auth: workOnTickets,
  about: { each: 'userId', relation: 'support' },
  uses: joined(changes, [append(AuditEvents), get(Users)]),
  headers: ifMatch,
  params: ofTicket,
  body: z.object({
    assigneeId: z.optional(z.nullable(Id)),
    priority: z.optional(z.enum(['low', 'normal', 'high', 'urgent'])),
  }),
  response: Ticket,
  etag: true,
  errors: [ValidationFailed, TicketNotFound, TicketClosed, PreconditionFailed, PreconditionRequired],
});

export const addTicketComment = route({
  method: 'POST',
  path: '/crm/tickets/{ticketId}/comments',
  summary: 'Answers the patient, or adds an internal note',
  description: withKeyNote(
    "With `visibility` `patient` the patient gets a message on the agent board and its push, which say nothing of the text. What is `internal` the patient never sees. `If-Match` with the ticket's " +
      'ETag is required: who did not see what the patient or a colleague wrote meanwhile gets 412. To a patient whose account is closed nobody writes: 409 `PATIENT_ACCOUNT_CLOSED`; the ticket can still be read, assigned and solved. The ETag of the answer is that of the ticket right after it, also where the key is sent again.',
  ),
  applications: ['medinfo'],
  auth: workOnTickets,
  about: { each: 'userId', relation: 'support' },
  uses: joined(
    joined(changes, [
      append(AuditEvents),
      get(Users),
      get(AgentBoardMessages),
      append(AgentBoardMessages),
      check(Accounts),
    ]),
    idempotencyUses,
  ),
  headers: z.extend(idempotencyHeaders, { 'if-match': z.optional(z.string()) }),
  params: ofTicket,
  body: z.object({ visibility: z.enum(['patient', 'internal']), body: text }),
  status: 201,
  response: TicketComment,
  etag: true,
  errors: [
    TicketNotFound,
    TicketClosed,
    PatientAccountClosed,
    PreconditionFailed,
    PreconditionRequired,
    IdempotencyKeyReused,
  ],
});

export const transitionTicket = route({
  method: 'POST',
  path: '/crm/tickets/{ticketId}/transition',
  summary: 'Moves a ticket to another state',
  description:
    '`new`, `open`, `pending` and `reopened` become `solved`, which becomes `closed`, by itself after 14 days; `pending` waits for the patient, and is refused until there is an answer to what the patient wrote. `If-Match` is required.',
  applications: ['medinfo'],
  auth: workOnTickets,
  about: { each: 'userId', relation: 'support' },
  uses: joined(changes, [append(AuditEvents)]),
  headers: ifMatch,
  params: ofTicket,
  body: z.object({ to: z.enum(['open', 'pending', 'solved', 'closed']) }),
  response: Ticket,
  etag: true,
  errors: [TicketNotFound, TicketTransitionRefused, PreconditionFailed, PreconditionRequired],
});
