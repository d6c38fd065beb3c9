import { type Case, request } from '../case.ts';
import type { World } from '../world.ts';

/** Tickets: another's, and text that is more, or something else, than a person writes. */

type Row = [name: string, bytes: (world: World) => Buffer, status: number, code: Case['code']];

const own = '/de/v1/support/tickets';
const crm = '/v2/crm/tickets';
const json = (value: unknown) => ({ body: JSON.stringify(value) });
const asked = { subject: 'Subject', body: 'Text' };
const answer = { visibility: 'patient', body: 'Answer' };

const ofAnother: Row[] = [
  [
    "another's ticket is read",
    ({ patient, ticketOfOther }) => request(`GET ${own}/${ticketOfOther}`, { token: patient }),
    404,
    'TICKET_NOT_FOUND',
  ],
  [
    "what is written on another's ticket is read",
    ({ patient, ticketOfOther }) => request(`GET ${own}/${ticketOfOther}/comments`, { token: patient }),
    404,
    'TICKET_NOT_FOUND',
  ],
  [
    "the caller writes on another's ticket, with the owner named in the body",
    ({ patient, ticketOfOther, otherUser }) =>
      request(`POST ${own}/${ticketOfOther}/comments`, { token: patient, ...json({ body: 'B', userId: otherUser }) }),
    404,
    'TICKET_NOT_FOUND',
  ],
  [
    'a patient works on a ticket as staff does, in their own application',
    ({ other, ticketOfOther }) =>
      request(`POST /de/v1/crm/tickets/${ticketOfOther}/comments`, { token: other, ...json(answer) }),
    404,
    'ROUTE_NOT_FOUND',
  ],
  [
    'a patient works on a ticket as staff does, in the other application',
    ({ other, ticketOfOther }) => request(`POST ${crm}/${ticketOfOther}/comments`, { token: other, ...json(answer) }),
    401,
    'UNAUTHENTICATED',
  ],
  [
    'a physician reads what the support is asked',
    ({ physician, ticketOfOther }) => request(`GET ${crm}/${ticketOfOther}`, { token: physician }),
    403,
    'FORBIDDEN',
  ],
  [
    'an agent reads what a flag raised',
    ({ agent }) => request('GET /v2/crm/urgent-tickets', { token: agent }),
    403,
    'FORBIDDEN',
  ],
  [
    'an agent answers without having looked',
    ({ agent, ticketOfOther }) => request(`POST ${crm}/${ticketOfOther}/comments`, { token: agent, ...json(answer) }),
    428,
    'PRECONDITION_REQUIRED',
  ],
  [
    'an agent answers whatever is there',
    ({ agent, ticketOfOther }) =>
      request(`POST ${crm}/${ticketOfOther}/comments`, { token: agent, lines: ['If-Match: "0"'], ...json(answer) }),
    412,
    'PRECONDITION_FAILED',
  ],
  [
    'a ticket is given to another patient',
    ({ agent, ticketOfOther, otherUser }) =>
      request(`PATCH ${crm}/${ticketOfOther}`, {
        token: agent,
        lines: ['If-Match: "1"'],
        ...json({ assigneeId: otherUser }),
      }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a ticket is moved to where no transition leads',
    ({ agent, ticketOfOther }) =>
      request(`POST ${crm}/${ticketOfOther}/transition`, {
        token: agent,
        lines: ['If-Match: "1"'],
        ...json({ to: 'reopened' }),
      }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'two lists at once',
    ({ agent, otherUser }) => request(`GET ${crm}?state=new&assigneeId=${otherUser}`, { token: agent }),
    400,
    'VALIDATION_FAILED',
  ],
  [
    'a cursor of another list',
    ({ agent, messagesCursorOfOther }) => request(`GET ${crm}?cursor=${messagesCursorOfOther}`, { token: agent }),
    400,
    'INVALID_CURSOR',
  ],
  [
    'what is sent of a ticket in a body is not believed',
    ({ patient, otherUser }) =>
      request(`POST ${own}`, {
        token: patient,
        ...json({ ...asked, userId: otherUser, priority: 'urgent', state: 'closed', siteId: 'x', revision: 99 }),
      }),
    201,
    null,
  ],
];

const texts: [name: string, body: string][] = [
  ['an empty subject', JSON.stringify({ ...asked, subject: '' })],
  ['a subject of 201', JSON.stringify({ ...asked, subject: 'x'.repeat(201) })],
  ['a subject of two lines', JSON.stringify({ ...asked, subject: 'a\nb' })],
  ['a text of 10,001', JSON.stringify({ ...asked, body: 'x'.repeat(10_001) })],
  ['a text of nothing that is seen', JSON.stringify({ ...asked, body: ' \n\t' })],
  ['a text with half a surrogate pair', '{"subject":"S","body":"a\\udc00"}'],
  ['a text with a NUL', '{"subject":"S","body":"a\\u0000b"}'],
  ['a text that is a list', JSON.stringify({ ...asked, body: ['Text'] })],
  ['a text with an escape of the terminal', '{"subject":"S","body":"\\u001b[2J"}'],
];

export const tickets: readonly Case[] = [
  ...ofAnother,
  ...texts.map(
    ([name, body]): Row => [
      name,
      ({ patient }) => request(`POST ${own}`, { token: patient, body }),
      400,
      'VALIDATION_FAILED',
    ],
  ),
].map(([name, bytes, status, code]): Case => ({ name: `a ticket: ${name}`, bytes, status, code }));
