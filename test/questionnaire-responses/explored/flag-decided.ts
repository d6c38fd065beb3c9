import assert from 'node:assert/strict';
import { openFlags } from '../../../functions/questionnaire-responses/metrics.ts';
import { flagIdOf, outcomeOn } from '../../../functions/questionnaire-responses/rules/flag.ts';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Call, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { patient, physician } from '../../explorer/people.ts';
import { nobodyIsAlarmed } from './flag-erased.ts';
import {
  completes,
  draft,
  eachFlagHasItsTicket,
  flagListsFit,
  flagRows,
  flagsAndTicketsAreTold,
  item9Of,
  questionnaires,
  responseRow,
  safety,
  urgentListsFit,
  urgentRows,
  writes,
} from './phq-9.ts';
import { patientAtSite, siteId } from './site.ts';

/** A flag is acknowledged and ended by two people while the patient corrects the answers, which raise it again. */

const [first, second] = ['response-1', 'response-2'];
const flagId = flagIdOf({ userId: patient.userId, rootId: first, code: 'self-harm' }, 0);
const corrected = draft(3, '2026-03-01T11:50:00.000Z');

type Outcome = 'cleared' | 'referred' | 'not-reached' | null;
type Register = {
  readonly by: string | null;
  readonly outcome: Outcome;
  readonly endedBy: string | null;
  readonly isAmended: boolean;
  /** Whether the correction raised another flag. */
  readonly isRaisedAgain: boolean;
};

const people: Readonly<Record<string, string>> = { safety: safety.userId, physician: physician.userId };
function shows({ answer: { body } }: Call, { by, outcome, endedBy }: Register): boolean {
  return body.acknowledgedBy === by && body.outcome === outcome && body.endedBy === endedBy;
}

function acknowledged(call: Call) {
  return observed<Register>(call, (state) => {
    const after = { ...state, by: state.by ?? String(people[call.client]) };
    return isOpen(call) || (call.answer.status === 200 && shows(call, after)) ? after : undefined;
  });
}

function ended(call: Call) {
  const { outcome } = call.request.body as { outcome: Exclude<Outcome, null> };
  const by = String(people[call.client]);
  return observed<Register>(call, (state) => {
    const verdict = outcomeOn(state, outcome);
    const after = verdict === 'recorded' ? { ...state, by: state.by ?? by, outcome, endedBy: by } : state;
    if (isOpen(call)) return after;
    const { status, body } = call.answer;
    const { detail } = (body.error ?? body) as { detail?: { outcome: string } };
    const isRight =
      verdict === 'refused'
        ? status === 409 && detail?.outcome === state.outcome
        : status === 200 && shows(call, after);
    return isRight ? after : undefined;
  });
}

/** Who has seen the flag has not seen the correction: it raises the flag again. */
function amended(call: Call) {
  return observed<Register>(call, (state) => {
    const after = state.isAmended ? state : { ...state, isAmended: true, isRaisedAgain: state.by !== null };
    return isOpen(call) || call.answer.status === 200 ? after : undefined;
  });
}

const models: Readonly<Record<string, typeof ended>> = {
  acknowledgeFlag: acknowledged,
  endFlag: ended,
  endFlagOfPatient: ended,
  amendQuestionnaireResponse: amended,
};

function explains(end: End): boolean {
  const history = end.calls.map((call) => models[call.operation]?.(call)).filter((each) => each !== undefined);
  const flags = flagRows(end);
  const flag = flags.find((each) => each.flagId === flagId) as Row;
  const initial = { by: null, outcome: null, endedBy: null, isAmended: false, isRaisedAgain: false };
  return isLinearizable<Register>(initial, history, (state) => {
    const { acknowledgedBy: by, outcome, endedBy } = flag;
    const isAmended = responseRow(end, second) !== undefined;
    const there = { by, outcome, endedBy, isAmended, isRaisedAgain: flags.length === 2 };
    return Object.entries(there).every(([name, value]) => state[name as keyof Register] === value);
  });
}

/** What became of the first flag, in order. */
function decisions(end: End) {
  const ofFlag = end.changes('QuestionnaireFlags').filter(({ after }) => after?.part === `flag#${flagId}`);
  return ofFlag.filter(({ before }) => before !== null);
}

const ending = (outcome: string) => ({ params: { userId: patient.userId, flagId }, body: { outcome } });

export const flagDecided: Scenario = {
  name: 'flag-decided',
  domain: 'questionnaire-responses',
  says: 'Clinical safety acknowledges a flag and clears it while a physician refers the patient, who corrects the answers.',
  setUp: async (setUp) => {
    await questionnaires(setUp);
    await patientAtSite(setUp);
    const insist = (operation: string, request = {}) => setUp.call(patient, operation, request);
    await writes({ insist }, first, draft(2, '2026-03-01T11:00:00.000Z'));
    await completes({ insist }, first);
    await setUp.settle();
  },
  clients: {
    safety: {
      as: safety,
      does: async ({ insist }) => {
        await insist('acknowledgeFlag', { params: { flagId } });
        await insist('endFlag', { params: { flagId }, body: { outcome: 'cleared' } });
      },
    },
    physician: { as: physician, does: ({ insist }) => insist('endFlagOfPatient', ending('referred')) },
    phone: {
      as: patient,
      does: async ({ insist }) => {
        const { answers, recordedAt } = corrected;
        const body = { responseId: second, answers, recordedAt };
        await insist('amendQuestionnaireResponse', { params: { responseId: first }, body });
      },
    },
  },
  consumers: ['watchFlagRows', 'watchAnswers', 'openUrgentTickets', 'publishUrgentTicketEvents'],
  schedules: { watchFlags: 1 },
  finally: ['watchFlags'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'the history is linearizable': (end) => assert.equal(explains(end), true),
    'no honest change is told as an attack': ({ rows }) => assert.deepEqual(rows('QuestionnaireEvidence'), []),
    'whoever insists is answered in the end': ({ calls }) => {
      const last = (client: string) => calls.filter((call) => call.client === client).at(-1)?.answer.status;
      assert.equal(last('phone'), 200);
      assert.equal(last('safety'), 200);
      assert.ok([200, 409].includes(last('physician') ?? 0));
    },
    'who acknowledged a flag first stays recorded': (end) => {
      for (const { before, after } of decisions(end)) {
        if (before?.acknowledgedAt === null) continue;
        assert.equal(after?.acknowledgedAt, before?.acknowledgedAt);
        assert.equal(after?.acknowledgedBy, before?.acknowledgedBy);
      }
    },
    'the correction is the answer that counts, and its flag is open': (end) => {
      const [earlier, later] = [responseRow(end, first), responseRow(end, second)];
      assert.equal(earlier?.amendedBy, second);
      assert.equal(item9Of(later ?? {}), 3);
      const again = flagRows(end).filter((flag) => flag.flagId !== flagId);
      for (const flag of again) {
        assert.equal(flag.responseId, second);
        assert.equal(flag.acknowledgedAt, null);
        assert.equal(flag.outcome, null);
      }
    },
    'what somebody has seen before the correction is raised again by it, and only that': (end) => {
      const seen = decisions(end).find(({ before, after }) => before?.acknowledgedAt === null && after?.acknowledgedAt);
      const responses = end.changes('QuestionnaireResponses');
      const correction = responses.find(({ after }) => after?.part === `response#${second}`);
      const isSeenBefore = seen !== undefined && correction !== undefined && seen.number < correction.number;
      assert.equal(flagRows(end).length, isSeenBefore ? 2 : 1);
    },
    'each decision has one audit event': (end) => {
      const events = end.rows('AuditEvents').filter(({ subject }) => subject === `questionnaire-flag/${flagId}`);
      const actions = (name: string) => events.filter(({ action }) => action === name).length;
      const isEnd = ({ before, after }: { before: Row | null; after: Row | null }) =>
        before?.outcome !== after?.outcome;
      assert.equal(actions('questionnaire-flag.ended'), decisions(end).filter(isEnd).length);
      assert.equal(actions('questionnaire-flag.acknowledged'), decisions(end).filter((each) => !isEnd(each)).length);
    },
    'who saw the flag is in the access log of the patient': ({ rows, calls }) => {
      for (const [client, userId] of Object.entries(people)) {
        const seen = calls.filter((call) => call.client === client && [200, 409].includes(call.answer.status)).length;
        const looks = rows('AccessLog').filter(({ by, userId: about }) => by === userId && about === patient.userId);
        const requests = new Set(looks.map(({ requestId }) => requestId));
        assert.ok(requests.size >= seen, `${client} got ${seen} answers and has ${requests.size} looks`);
      }
    },
    'the ticket of the flag is acknowledged by the person who acknowledged the flag': (end) => {
      const flag = flagRows(end).find((each) => each.flagId === flagId);
      const ticket = urgentRows(end).find((each) => each.flagId === flagId);
      assert.equal(ticket?.acknowledgedBy, flag?.acknowledgedBy);
      assert.equal(ticket?.acknowledgedAt, flag?.acknowledgedAt);
    },
    "each ticket is for the patient's site": (end) => {
      for (const ticket of urgentRows(end)) assert.equal(ticket.siteId, siteId);
    },
    'the list that safety reads has the open flags': async (end) => {
      const open = flagRows(end).filter(({ acknowledgedAt }) => acknowledgedAt === null);
      const { items } = (await end.call(safety, 'listFlags')).body as unknown as { items: Row[] };
      assert.deepEqual(
        items.map((item) => item.flagId),
        open.map((flag) => flag.flagId),
      );
    },
    'the alarm counts the flags that nobody has acknowledged': (end) => {
      const open = flagRows(end).filter(({ acknowledgedAt }) => acknowledgedAt === null);
      assert.equal(end.metric(openFlags).at(-1), open.length);
    },
    'nobody is told of an attack': nobodyIsAlarmed,
    'flags are on their lists': flagListsFit,
    'each flag has its urgent ticket': eachFlagHasItsTicket,
    'urgent tickets are on their lists': urgentListsFit,
    'each flag and each ticket has its event': flagsAndTicketsAreTold,
  },
};

/** A record of the stream that fails, so that its consumer has to ask for it again. */
export const flagDecidedUnderThrottling: Scenario = {
  ...flagDecided,
  name: 'flag-decided-under-throttling',
  says: 'The same, while two calls are throttled for longer than the SDK tries.',
  faults: { only: ['refused'] },
};
