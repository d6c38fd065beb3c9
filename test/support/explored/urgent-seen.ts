import assert from 'node:assert/strict';
import { flagIdOf, urgentTicketId } from '../../../functions/questionnaire-responses/rules/flag.ts';
import { unacknowledgedTickets } from '../../../functions/support/metrics.ts';
import type { Call, End, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { afterTheClosing, isErased } from '../../erasure/explored/closing.ts';
import { patient, physician } from '../../explorer/people.ts';
import {
  completes,
  draft,
  eachFlagHasItsTicket,
  flagRows,
  flagsAndTicketsAreTold,
  otherSafety,
  questionnaires,
  safety,
  urgentListsFit,
  urgentRows,
  writes,
} from '../../questionnaire-responses/explored/phq-9.ts';
import { patientAtSite, siteId } from '../../questionnaire-responses/explored/site.ts';
import { codeOf } from './tickets.ts';

/** The urgent ticket of a flag: several people acknowledge it at once, and its patient leaves the site. */

const responseId = 'response-1';
const flagId = flagIdOf({ userId: patient.userId, rootId: responseId, code: 'self-harm' }, 0);
const ticketId = urgentTicketId({ responseId, flagId });
const leaving = { params: { siteId } };
const ofPatient = { params: { userId: patient.userId, ticketId } };

async function drafted(setUp: SetUp): Promise<void> {
  await questionnaires(setUp);
  await patientAtSite(setUp);
  await writes(own(setUp), responseId, draft(2, '2026-03-01T11:00:00.000Z'));
}

function own({ call }: SetUp) {
  const insist = (operation: string, request = {}) => call(patient, operation, request);
  return { insist };
}

function hasLeftBefore(end: End, { begun }: Call): boolean {
  return end.calls.some(
    ({ operation, answer, ended }) => operation === 'leaveSite' && answer.status === 200 && ended <= begun,
  );
}

function mayHaveLeftBefore(end: End, { ended }: Call): boolean {
  return end.calls.some(({ operation, begun }) => operation === 'leaveSite' && begun < ended);
}

const acknowledging = /^acknowledgeUrgentTicket/;

const urgentInvariants: Scenario['invariants'] = {
  'the first acknowledgement stays, and every answer names it': (end) => {
    const [ticket] = urgentRows(end);
    for (const { operation, answer } of end.calls) {
      if (!acknowledging.test(operation) || answer.status !== 200) continue;
      const { acknowledgedAt, acknowledgedBy } = answer.body;
      assert.notEqual(acknowledgedAt, null);
      assert.deepEqual(
        { at: ticket?.acknowledgedAt, by: ticket?.acknowledgedBy },
        { at: acknowledgedAt, by: acknowledgedBy },
      );
    }
  },
  'a ticket that is acknowledged does not change any more': (end) => {
    const own = end.changes('UrgentTickets').filter(({ after }) => String(after?.part).startsWith('urgent#'));
    for (const { before } of own) assert.equal(before?.acknowledgedAt ?? null, null);
  },
  'an acknowledgement has one audit event': (end) => {
    const [ticket] = urgentRows(end);
    const events = end.rows('AuditEvents').filter(({ subject }) => subject === `urgent-ticket/${ticketId}`);
    const [flag] = flagRows(end);
    // Who acknowledges the flag has that audit event.
    const isByFlag = ticket?.acknowledgedBy === flag?.acknowledgedBy;
    const wanted = ticket?.acknowledgedAt && !isByFlag ? [ticket.acknowledgedBy] : [];
    assert.deepEqual(
      events.map(({ actor }) => actor),
      wanted,
    );
  },
  "after the patient has left, the site's staff gets nothing of the patient": (end) => {
    for (const call of end.calls) {
      const { operation, answer } = call;
      if (!hasLeftBefore(end, call)) continue;
      if (operation === 'acknowledgeUrgentTicketOfPatient') assert.notEqual(answer.status, 200);
      if (operation === 'listUrgentTicketsOfSites' && answer.status === 200) assert.deepEqual(answer.body.items, []);
    }
  },
  'staff is refused only after the patient has left': (end) => {
    for (const call of end.calls) {
      if (call.operation !== 'acknowledgeUrgentTicketOfPatient') continue;
      if ([0, 200, 502, 503, 504].includes(call.answer.status)) continue;
      assert.equal(call.answer.status, 404, codeOf(call));
      assert.ok(mayHaveLeftBefore(end, call), 'the patient has not left');
    }
  },
  'who saw the ticket is in the access log of the patient': ({ rows, calls }) => {
    for (const [client, all] of Map.groupBy(calls, (call) => call.client)) {
      const seen = all.filter(({ operation, answer }) => acknowledging.test(operation) && answer.status === 200);
      const by = { physician, 'other safety': otherSafety, safety }[client]?.userId;
      const looks = rows('AccessLog').filter((look) => look.by === by && look.userId === patient.userId);
      assert.ok(new Set(looks.map(({ requestId }) => requestId)).size >= seen.length);
    }
  },
  'what nobody has acknowledged is for clinical safety after the patient has left': (end) => {
    const hasLeft = end.rows('CareRelations').length === 0;
    for (const { acknowledgedAt, siteId: site, dueAt } of urgentRows(end)) {
      if (acknowledgedAt !== null || !hasLeft) continue;
      assert.ok(site === null || Date.parse(dueAt) <= end.now, `it waits for ${site} until ${dueAt}`);
    }
  },
  'a ticket is not taken from a site whose patient it is': (end) => {
    if (end.rows('CareRelations').length === 0) return;
    for (const ticket of urgentRows(end)) assert.equal(ticket.siteId, siteId);
  },
  'the alarm counts what is for clinical safety and nobody has acknowledged': (end) => {
    const open = urgentRows(end).filter(({ acknowledgedAt }) => acknowledgedAt === null);
    const due = open.filter(({ siteId: site, dueAt }) => site === null || Date.parse(dueAt) <= end.now);
    assert.equal(end.metric(unacknowledgedTickets).at(-1), due.length);
  },
  'each flag has its urgent ticket': eachFlagHasItsTicket,
  'urgent tickets are on their lists': urgentListsFit,
};

export const urgentSeen: Scenario = {
  name: 'urgent-seen',
  domain: 'support',
  says: 'A physician and clinical safety acknowledge an urgent ticket and its flag at once while the patient leaves the site.',
  setUp: async (setUp) => {
    await drafted(setUp);
    await completes(own(setUp), responseId);
    await setUp.settle();
  },
  clients: {
    physician: { as: physician, does: ({ insist }) => insist('acknowledgeUrgentTicketOfPatient', ofPatient) },
    'other safety': {
      as: otherSafety,
      does: ({ insist }) => insist('acknowledgeUrgentTicket', { params: { ticketId } }),
    },
    safety: { as: safety, does: ({ insist }) => insist('acknowledgeFlag', { params: { flagId } }) },
    phone: { as: patient, does: ({ insist }) => insist('leaveSite', leaving) },
  },
  consumers: ['watchFlagRows', 'openUrgentTickets', 'publishUrgentTicketEvents'],
  schedules: { watchUrgentTickets: 1 },
  finally: ['watchUrgentTickets'],
  clockMoves: [-5000, 3_600_000],
  invariants: {
    ...urgentInvariants,
    'clinical safety is always answered': ({ calls }) => {
      for (const name of ['safety', 'other safety'])
        assert.equal(calls.filter(({ client }) => client === name).at(-1)?.answer.status, 200);
    },
    'one of them acknowledges the ticket, and the event names that one': (end) => {
      const [ticket] = urgentRows(end);
      assert.ok([physician, safety, otherSafety].some(({ userId }) => userId === ticket?.acknowledgedBy));
      const told = end.outside.events.filter(({ type }) => type === 'UrgentTicketAcknowledged');
      for (const { detail } of told) assert.equal(detail.acknowledgedAt, ticket?.acknowledgedAt);
    },
    'each flag and each ticket has its event': flagsAndTicketsAreTold,
  },
};

export const urgentLeft: Scenario = {
  name: 'urgent-left',
  domain: 'support',
  says: 'A patient completes a questionnaire that opens an urgent ticket and leaves the site meanwhile, where a physician looks for it.',
  setUp: drafted,
  clients: {
    'phone A': { as: patient, does: (client) => completes(client, responseId) },
    'phone B': { as: patient, does: ({ insist }) => insist('leaveSite', leaving) },
    physician: {
      as: physician,
      does: async ({ insist }) => {
        const { status, body } = await insist('listUrgentTicketsOfSites');
        const { items = [] } = body as unknown as { items?: Row[] };
        if (status === 200 && items.length > 0) await insist('acknowledgeUrgentTicketOfPatient', ofPatient);
      },
    },
  },
  consumers: ['openUrgentTickets', 'publishUrgentTicketEvents'],
  // The stream may be so late that the comparison opens the ticket.
  schedules: { watchUrgentTickets: 1, compareFlags: 1 },
  finally: ['watchUrgentTickets'],
  clockMoves: [-5000, 3_600_000],
  invariants: {
    ...urgentInvariants,
    'the list of the site has only what is there, with the ids of the ticket': (end) => {
      const [ticket] = urgentRows(end);
      for (const { operation, answer } of end.calls) {
        if (operation !== 'listUrgentTicketsOfSites' || answer.status !== 200) continue;
        for (const item of answer.body.items as unknown as Row[]) {
          assert.deepEqual(
            { ticketId: item.ticketId, flagId: item.flagId, userId: item.userId },
            { ticketId, flagId, userId: ticket?.userId },
          );
        }
      }
    },
    'the ticket is told': ({ outside }) => {
      const opened = outside.events.filter(({ type }) => type === 'UrgentTicketOpened');
      assert.deepEqual([...new Set(opened.map(({ detail }) => detail.ticketId))], [ticketId]);
    },
  },
};

export const urgentOpenedLate: Scenario = {
  name: 'urgent-opened-late',
  domain: 'support',
  says: 'Two comparisons at once open the urgent ticket that its consumer has not opened, while clinical safety acknowledges it.',
  setUp: async (setUp) => {
    await drafted(setUp);
    await completes(own(setUp), responseId);
    setUp.pass(600_000);
  },
  clients: {
    'other safety': {
      as: otherSafety,
      does: ({ insist }) => insist('acknowledgeUrgentTicket', { params: { ticketId } }),
    },
  },
  schedules: { compareFlags: 1, compareAllFlags: 1 },
  finally: ['compareFlags', 'watchUrgentTickets'],
  invariants: {
    ...urgentInvariants,
    'whoever acknowledges is answered': ({ calls }) => assert.ok([200, 404].includes(calls.at(-1)?.answer.status ?? 0)),
  },
};

export const urgentErased: Scenario = {
  name: 'urgent-erased',
  domain: 'support',
  says: 'An account is erased while clinical safety acknowledges its urgent ticket and its flag.',
  setUp: (setUp) =>
    afterTheClosing(setUp, async (before) => {
      await drafted(before);
      await completes(own(before), responseId);
      await before.settle();
    }),
  clients: {
    'other safety': {
      as: otherSafety,
      does: ({ insist }) => insist('acknowledgeUrgentTicket', { params: { ticketId } }),
    },
    safety: { as: safety, does: ({ insist }) => insist('acknowledgeFlag', { params: { flagId } }) },
  },
  consumers: ['openUrgentTickets'],
  schedules: { eraseAccounts: 1 },
  finally: ['eraseAccounts', 'eraseAccounts', 'watchUrgentTickets'],
  invariants: {
    'of an erased user no urgent ticket remains or comes back': (end) => {
      assert.ok(isErased(end), 'the account is erased');
      assert.deepEqual(end.rows('UrgentTickets'), []);
      assert.equal(end.metric(unacknowledgedTickets).at(-1), 0);
    },
    'whoever acknowledges is answered': ({ calls }) => {
      for (const { answer } of calls) assert.ok([0, 200, 404, 502, 503, 504].includes(answer.status));
    },
  },
};
