import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const ticketId = '01a2021a-e6b1-777e-909d-1e50ae284575';
const userId = '95f807be-bb56-4119-899f-ee487ecfa121';
const adminId = '61e84e9c-8c4f-4ce9-9a14-7bb4b7c7b1c5';
const physicianId = '1d1c4b4e-0f4c-4c39-8a3f-3b2f5c9d7e10';
const createdAt = '2026-11-23T07:14:07.153Z';
const answeredAt = '2026-11-23T09:02:11.480Z';
const request = { subject: 'The diary shows the wrong night', body: 'I changed my time zone yesterday.' };
const page = { limit: 20, count: 1, hasMore: false, nextCursor: null };

const own = {
  ticketId,
  subject: request.subject,
  state: 'new',
  createdAt,
  updatedAt: createdAt,
  solvedAt: null,
} as const;
const first = { commentId: ticketId, by: 'patient', body: request.body, createdAt } as const;
const ticket = {
  ticketId,
  userId,
  subject: request.subject,
  state: 'new',
  priority: 'normal',
  assigneeId: null,
  siteId: 'example-site',
  createdAt,
  updatedAt: createdAt,
  firstAnswerDueAt: '2026-11-23T16:00:00.000Z',
  firstAnsweredAt: null,
  solutionDueAt: '2026-11-27T16:00:00.000Z',
  solvedAt: null,
  isOverdue: false,
} as const;
const answer = {
  commentId: '01a2021b-45a8-7a21-8f0d-52cf6ad5c0f2',
  ticketId,
  userId,
  by: 'support',
  authorId: adminId,
  authorRole: 'admin',
  visibility: 'patient',
  body: 'Choose the night again, please.',
  createdAt: answeredAt,
} as const;
const comment = { ...first, ticketId, userId, authorId: userId, authorRole: 'patient', visibility: 'patient' } as const;
const urgent = {
  ticketId: '0d5d2b1e-7c1f-8a6e-9b53-2f3c5d1e7a90',
  userId,
  flagId: '4e8b1c52-7a90-8c3d-9e21-0f6b5a4d3c2b',
  responseId: 'a7c1e0f2',
  siteId: 'example-site',
  raisedAt: createdAt,
  recordedAt: '2026-11-17T05:58:00.000Z',
  receivedAt: createdAt,
  dueAt: '2026-11-23T08:14:07.153Z',
  acknowledgedAt: null,
  acknowledgedBy: null,
};
const acknowledged = { ...urgent, acknowledgedAt: answeredAt, acknowledgedBy: physicianId };

const ofHighPriority = {
  priority: 'high',
  firstAnswerDueAt: '2026-11-23T12:00:00.000Z',
  solutionDueAt: '2026-11-24T16:00:00.000Z',
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'Tickets: what patients ask the support, and what a person must look at.',
  examples: {
    openTicket: { body: request, answer: own },
    listOwnTickets: { answer: { items: [own], metadata: page } },
    readOwnTicket: { params: { ticketId }, answer: own },
    listOwnTicketComments: { params: { ticketId }, answer: { items: [first], metadata: page } },
    listTickets: { query: { state: 'new' }, answer: { items: [ticket], metadata: page } },
    readTicket: { params: { ticketId }, answer: ticket },
    listTicketComments: { params: { ticketId }, answer: { items: [comment], metadata: page } },
    changeTicket: {
      params: { ticketId },
      headers: { 'if-match': '"1"' },
      body: { priority: 'high' },
      answer: { ...ticket, ...ofHighPriority },
    },
    addTicketComment: {
      params: { ticketId },
      headers: { 'if-match': '"2"' },
      body: { visibility: 'patient', body: answer.body },
      answer,
    },
    addOwnTicketComment: {
      params: { ticketId },
      body: { body: 'It works now.' },
      answer: {
        commentId: '01a2021c-00d1-7c54-b1f3-0a4e8d2c6b79',
        by: 'patient',
        body: 'It works now.',
        createdAt: answeredAt,
      },
    },
    transitionTicket: {
      params: { ticketId },
      headers: { 'if-match': '"4"' },
      body: { to: 'solved' },
      answer: {
        ...{ ...ticket, ...ofHighPriority, state: 'solved' },
        ...{ updatedAt: answeredAt, firstAnsweredAt: answeredAt, solvedAt: answeredAt },
      },
    },
    listUrgentTicketsOfSites: { answer: { items: [urgent], metadata: page } },
    acknowledgeUrgentTicketOfPatient: { params: { userId, ticketId: urgent.ticketId }, answer: acknowledged },
    listUrgentTickets: { answer: { items: [], metadata: { ...page, count: 0 } } },
    acknowledgeUrgentTicket: { params: { ticketId: urgent.ticketId }, answer: acknowledged },
  },
};
