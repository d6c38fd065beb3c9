import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { CareRelations } from '../access/data-subject.ts';
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
    "`body` is the ticket's first comment. The support answers in the ticket, and a message on the agent board says so. If the caller has " +
      '20 tickets that are neither solved nor closed, the answer is 409 `TICKET_LIMIT_REACHED`.',
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
  cursor: 'name',
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
  cursor: 'name',
  items: OwnTicketComment,
  errors: [TicketNotFound],
});

export const addOwnTicketComment = route({
  method: 'POST',
  path: '/support/tickets/{ticketId}/comments',
  summary: "Comments on one of the caller's tickets",
  description: withKeyNote(
    'If the support was waiting for the patient, the ticket is open again. A solved ticket is opened again, too, up to 14 days after it was ' +
      'solved; after that the answer is 409 `TICKET_CLOSED`.',
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
    'One parameter selects the list; the default is `state=new`. All lists except `state` have only unsolved tickets. `overdue=true`: tickets that have waited ' +
    'too long for the first answer or the solution, the longest wait first. Each patient sees that somebody read the list.' +
    ' Together: at most one of `state`, `priority`, `assigneeId`, `siteId` and `overdue`.',
  applications: ['medinfo'],
  auth: workOnTickets,
  dataSubject: { each: 'userId', relation: 'support' },
  uses: [read(SupportTickets)],
  query: z.object({
    state: z.optional(z.enum(['new', 'open', 'pending', 'solved', 'closed', 'reopened'])),
    priority: z.optional(z.enum(['low', 'normal', 'high', 'urgent'])),
    assigneeId: z.optional(Id),
    siteId: z.optional(Id),
    overdue: z.optional(z.literal('true')),
  }),
  cursor: ['list', 'name'],
  items: Ticket,
  errors: [ValidationFailed],
});

export const readTicket = route({
  method: 'GET',
  path: '/crm/tickets/{ticketId}',
  summary: 'A ticket',
  applications: ['medinfo'],
  auth: workOnTickets,
  dataSubject: { each: 'userId', relation: 'support' },
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
  dataSubject: { each: 'userId', relation: 'support' },
  uses: [read(SupportTickets)],
  params: ofTicket,
  cursor: 'name',
  items: TicketComment,
  errors: [TicketNotFound],
});

const ifMatch = z.object({ 'if-match': z.optional(z.string()) });

export const changeTicket = route({
  method: 'PATCH',
  path: '/crm/tickets/{ticketId}',
  summary: 'Assigns a ticket, or changes its priority',
  description:
    'The assignee is a member of staff that has used the app; null means nobody. After a change of the priority, the due times are computed again, from the time ' +
    'when the ticket began to wait. The due time of the first answer changes only before the first answer. `If-Match` is required.',
  applications: ['medinfo'],
  auth: workOnTickets,
  dataSubject: { each: 'userId', relation: 'support' },
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
    'With `visibility` `patient` the patient gets a message on the agent board and a push; neither contains the text. The patient never sees an `internal` note. ' +
      "`If-Match` with the ticket's ETag is required: if the patient or a colleague has written since the caller read the ticket, the answer is 412. A message to a " +
      'patient whose account is closed is refused with 409 `PATIENT_ACCOUNT_CLOSED`; the ticket can still be read, assigned and solved. The ETag of the answer is ' +
      'the ETag of the ticket right after this change, also if the `Idempotency-Key` is sent again.',
  ),
  applications: ['medinfo'],
  auth: workOnTickets,
  dataSubject: { each: 'userId', relation: 'support' },
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
    'From `new`, `open`, `pending` and `reopened` a ticket can become `solved`. A solved ticket can become `closed`; after 14 days this happens automatically. ' +
    '`pending` means that the support waits for the patient; it is refused while the patient waits for an answer. `If-Match` is required.',
  applications: ['medinfo'],
  auth: workOnTickets,
  dataSubject: { each: 'userId', relation: 'support' },
  uses: joined(changes, [append(AuditEvents)]),
  headers: ifMatch,
  params: ofTicket,
  body: z.object({ to: z.enum(['open', 'pending', 'solved', 'closed']) }),
  response: Ticket,
  etag: true,
  errors: [TicketNotFound, TicketTransitionRefused, PreconditionFailed, PreconditionRequired],
});
