import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Call, End, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { completes, draft, flagRows, questionnaires, responseRow, toldOf, writes } from './phq-9.ts';

/** Two phones begin a response each for the same occurrence of a bundle; one of them gives its draft up again. */

const [kept, dropped] = ['response-1', 'response-2'];
const entitlementId = 'entitlement-1';
const bundleId = 'sleep-start';

/** What each response is, and which of them has the occurrence. */
type Register = {
  readonly kept: 'none' | 'draft' | 'completed';
  readonly dropped: 'none' | 'draft' | 'deleted';
  readonly claim: string | null;
};

function refusal({ answer: { status, body } }: Call) {
  const { code = '', detail } = (body.error ?? body) as { code?: string; detail?: { responseId?: string } };
  return { status, code, responseId: detail?.responseId };
}

function isAnswered(call: Call, claim: string): boolean {
  const { status, code, responseId } = refusal(call);
  return status === 409 && code === 'QUESTIONNAIRE_ANSWERED' && responseId === claim;
}

function apply(call: Call, state: Register): Register | undefined {
  const { status } = call.answer;
  const only = (isRight: boolean, next: Register) => (isOpen(call) || isRight ? next : undefined);
  const responseId = call.request.params?.responseId;
  if (call.operation === 'completeQuestionnaireResponse') {
    if (state.kept === 'none') return only(status === 404, state);
    return only(status === 200, { ...state, kept: 'completed' });
  }
  if (call.operation === 'deleteQuestionnaireResponse')
    return only(status === 200, { ...state, dropped: 'deleted', claim: state.claim === dropped ? null : state.claim });
  if (responseId === dropped && state.dropped === 'deleted')
    return only(refusal(call).code === 'QUESTIONNAIRE_RESPONSE_DELETED', state);
  const name = responseId === kept ? 'kept' : 'dropped';
  // A draft that is there already is the same one: a repetition.
  if (state[name] !== 'none') return only(status === 200, state);
  if (state.claim !== null) return only(isAnswered(call, state.claim), state);
  return only(status === 200, { ...state, [name]: 'draft', claim: String(responseId) });
}

function stateIn(end: End): Register {
  const [one, other] = [responseRow(end, kept), responseRow(end, dropped)];
  const claims = end.rows('QuestionnaireResponses').filter(({ part }) => /^occurrence#/.test(String(part)));
  assert.ok(claims.length <= 1, 'an occurrence has two claims');
  return {
    kept: one?.status ?? 'none',
    dropped: other ? (other.isDeleted ? 'deleted' : 'draft') : 'none',
    claim: claims[0]?.responseId ?? null,
  };
}

function explains(end: End): boolean {
  const there = stateIn(end);
  const history = end.calls.map((call) => observed<Register>(call, (state) => apply(call, state)));
  return isLinearizable<Register>({ kept: 'none', dropped: 'none', claim: null }, history, (state) =>
    (['kept', 'dropped', 'claim'] as const).every((name) => state[name] === there[name]),
  );
}

export const oneOccurrence: Scenario = {
  name: 'one-occurrence',
  domain: 'questionnaire-responses',
  says: 'Two phones begin a response each for the same questionnaire of a programme; one is completed, the other one deleted.',
  setUp: async (setUp) => {
    await questionnaires(setUp);
    await setUp.put('Entitlements', {
      userId: patient.userId,
      entitlementId,
      programmeId: 'insomnia-basic',
      startsAt: '2026-02-28T00:00:00.000Z',
      endsAt: '2026-06-01T00:00:00.000Z',
      redeemedAt: '2026-02-28T00:00:00.000Z',
    });
  },
  clients: {
    'phone A': {
      as: patient,
      does: async (client) => {
        const { status } = await writes(client, kept, draft(1, '2026-03-01T11:00:00.000Z', { bundleId }));
        if (status === 200) await completes(client, kept);
      },
    },
    'phone B': {
      as: patient,
      does: async (client) => {
        await writes(client, dropped, draft(0, '2026-03-01T11:10:00.000Z', { bundleId }));
        const params = { responseId: dropped };
        await client.insist('deleteQuestionnaireResponse', {
          params,
          query: { recordedAt: '2026-03-01T11:20:00.000Z' },
        });
      },
    },
  },
  consumers: ['watchAnswers'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'the history is linearizable': (end) => assert.equal(explains(end), true),
    'no honest change is told as an attack': ({ rows }) => assert.deepEqual(rows('QuestionnaireEvidence'), []),
    'the deleted draft keeps nothing that the patient wrote': (end) => {
      const row = responseRow(end, dropped);
      assert.deepEqual({ isDeleted: row?.isDeleted, answers: row?.answers }, { isDeleted: true, answers: [] });
    },
    'the occurrence is of the response that it has': (end) => {
      const { claim, kept: state } = stateIn(end);
      assert.equal(claim, state === 'none' ? null : kept);
      const [row] = end.rows('QuestionnaireResponses').filter(({ part }) => /^occurrence#/.test(String(part)));
      const response = responseRow(end, kept);
      assert.equal(row?.status, response?.status);
      if (response) assert.equal(row?.part, `occurrence#${response.occurrenceId}#phq-9`);
    },
    'the lists have what is completed, and no draft that is gone': (end) => {
      const listed = end.rows('QuestionnaireResponses').filter(({ part }) => /^(at|of|draft)#/.test(String(part)));
      const { status, completedAt, recordedAt } = responseRow(end, kept) ?? {};
      const asDraft = status === 'draft' ? [`draft#${recordedAt}#${kept}`] : [];
      const asCompleted = [`at#${completedAt}#${kept}`, `of#phq-9#${completedAt}#${kept}`];
      assert.deepEqual(listed.map(({ part }) => part).sort(), status === 'completed' ? asCompleted : asDraft);
    },
    'what is due says the same': async (end) => {
      type Due = {
        bundleId: string;
        questionnaires: { questionnaireId: string; status: string; responseId: string }[];
      };
      const { items } = (await end.call(patient, 'listDueBundles')).body as unknown as { items: Due[] };
      const [due] = items.filter((item) => item.bundleId === bundleId);
      const { status, responseId } = due?.questionnaires.find((each) => each.questionnaireId === 'phq-9') ?? {};
      const { kept: state } = stateIn(end);
      const wanted = { none: 'due', draft: 'in-progress', completed: 'completed' }[state];
      assert.deepEqual({ status, responseId }, { status: wanted, responseId: state === 'none' ? null : kept });
    },
    'a completion has one event and one flag': (end) => {
      const isCompleted = stateIn(end).kept === 'completed';
      assert.deepEqual(toldOf(end, 'QuestionnaireCompleted', 'responseId'), isCompleted ? [kept] : []);
      assert.equal(flagRows(end).length, isCompleted ? 1 : 0);
    },
  },
};
