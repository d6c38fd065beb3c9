import assert from 'node:assert/strict';
import { isAnswered, isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Call, Client, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
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
  toldOf,
  urgentListsFit,
  writes,
} from './phq-9.ts';

/** Two phones write the same draft, one of them offline before, and both complete it. */

const responseId = 'response-1';
const earlier = draft(0, '2026-03-01T11:00:00.000Z');
const later = draft(2, '2026-03-01T11:30:00.000Z');

type Register = { readonly item9: number; readonly recordedAt: string; readonly isCompleted: boolean } | null;

/** Of two drafts the one that was recorded later stays, until it is completed. */
function written(call: Call) {
  const { answer, request } = call;
  const sent = request.body as ReturnType<typeof draft> & { recordedAt: string };
  const item9 = item9Of(sent);
  const gets = (outcome: string, shown: number) =>
    answer.status === 200 && answer.body.outcome === outcome && item9Of(answer.body) === shown;
  return observed<Register>(call, (state) => {
    const isKnown = isAnswered(call);
    const only = (isSo: boolean, next: Register) => (!isKnown || isSo ? next : undefined);
    const isSame = state?.item9 === item9 && state.recordedAt === sent.recordedAt;
    if (state && isSame) return only(gets('stored', item9) && isOf(answer, state), state);
    if (state?.isCompleted) return only(codeOf(call) === 'QUESTIONNAIRE_RESPONSE_COMPLETED', state);
    if (state && state.recordedAt > sent.recordedAt) return only(gets('superseded', state.item9), state);
    return only(gets('stored', item9), { item9, recordedAt: sent.recordedAt, isCompleted: false });
  });
}

function isOf({ body }: Call['answer'], { isCompleted }: NonNullable<Register>): boolean {
  return body.status === (isCompleted ? 'completed' : 'draft');
}

function completed(call: Call) {
  const { answer, request } = call;
  const { recordedAt } = request.body as { recordedAt: string };
  return observed<Register>(call, (state) => {
    if (!state) return undefined;
    const after = { ...state, isCompleted: true };
    if (answer.status !== 200) return isOpen(call) ? after : undefined;
    const outcome = recordedAt < state.recordedAt ? 'superseded' : 'stored';
    const isRight = item9Of(answer.body) === state.item9 && answer.body.outcome === outcome && isOf(answer, after);
    return isRight ? after : undefined;
  });
}

function codeOf({ answer }: Call): string {
  const { code } = (answer.body.error ?? answer.body) as { code?: string };
  return code ?? '';
}

function explains(end: End): boolean {
  const row = responseRow(end, responseId);
  const history = end.calls.map((call) =>
    call.operation === 'putQuestionnaireResponse' ? written(call) : completed(call),
  );
  return isLinearizable<Register>(null, history, (state) => {
    if (!state || !row) return !state && !row;
    return (
      state.item9 === item9Of(row) &&
      state.recordedAt === row.recordedAt &&
      state.isCompleted === (row.status === 'completed')
    );
  });
}

const script =
  (body: typeof earlier, recordedAt: string) =>
  async (client: Client): Promise<void> => {
    await writes(client, responseId, body);
    await completes(client, responseId, { recordedAt });
  };

export const twoDrafts: Scenario = {
  name: 'two-drafts',
  domain: 'questionnaire-responses',
  says: 'Two phones of one patient write the same draft and complete it; the later one has an answer that a person must look at.',
  setUp: questionnaires,
  clients: {
    'phone A': { as: patient, does: script(earlier, '2026-03-01T11:05:00.000Z') },
    'phone B': { as: patient, does: script(later, '2026-03-01T11:35:00.000Z') },
  },
  consumers: ['watchAnswers', 'watchFlagRows', 'openUrgentTickets', 'publishUrgentTicketEvents'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'the history is linearizable': (end) => assert.equal(explains(end), true),
    'no honest change is told as an attack': ({ rows }) => assert.deepEqual(rows('QuestionnaireEvidence'), []),
    'every phone is answered in the end, and the response is completed': (end) => {
      for (const client of ['phone A', 'phone B']) {
        assert.equal(end.calls.filter((call) => call.client === client).at(-1)?.answer.status, 200);
      }
      assert.equal(responseRow(end, responseId)?.status, 'completed');
    },
    'who completes gets the same result as who completed first': (end) => {
      const row = responseRow(end, responseId);
      for (const { operation, answer } of end.calls) {
        if (operation !== 'completeQuestionnaireResponse' || answer.status !== 200) continue;
        const { completedAt, scores, flags, answers } = answer.body;
        assert.deepEqual(
          { completedAt, scores, flags, answers },
          { completedAt: row?.completedAt, scores: row?.scores, flags: row?.flags, answers: row?.answers },
        );
      }
    },
    'who sees an answer that a person must look at sees whom to call': ({ calls }) => {
      for (const { answer } of calls)
        if (answer.status === 200) assert.equal(answer.body.crisisHelp !== null, item9Of(answer.body) > 0);
    },
    'the score and the flag are of the answers that stay': (end) => {
      const row = responseRow(end, responseId) as Row;
      const isFlagged = item9Of(row) > 0;
      const total = (row.answers as { choice: string }[]).reduce((sum, { choice }) => sum + Number(choice), 0);
      const scores = row.scores as { value: number }[];
      assert.ok(
        scores.some(({ value }) => value === total),
        `no score is ${total}: ${JSON.stringify(scores)}`,
      );
      assert.equal((row.flags as string[]).length, isFlagged ? 1 : 0);
      const flags = flagRows(end);
      assert.equal(flags.length, isFlagged ? 1 : 0);
      for (const flag of flags) assert.equal(flag.raisedAt, row.completedAt);
    },
    'the lists have the response once, and no draft': (end) => {
      const { completedAt, userId } = responseRow(end, responseId) ?? {};
      assert.deepEqual(
        end
          .rows('QuestionnaireResponses')
          .map(({ part }) => part)
          .sort(),
        [`at#${completedAt}#${responseId}`, `of#phq-9#${completedAt}#${responseId}`, `response#${responseId}`],
      );
      assert.equal(userId, patient.userId);
    },
    'the completion has its event': (end) => {
      assert.deepEqual(toldOf(end, 'QuestionnaireCompleted', 'responseId'), [responseId]);
      assert.deepEqual(toldOf(end, 'QuestionnaireCompleted', 'completedAt'), [
        responseRow(end, responseId)?.completedAt,
      ]);
    },
    'flags are on their lists': flagListsFit,
    'each flag has its urgent ticket': eachFlagHasItsTicket,
    'urgent tickets are on their lists': urgentListsFit,
    'each flag and each ticket has its event': flagsAndTicketsAreTold,
  },
};
