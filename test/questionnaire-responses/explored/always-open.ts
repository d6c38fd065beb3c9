import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { instrument } from '../../questionnaires/instruments.ts';
import { completes, questionnaires, responseRow, writes } from './phq-9.ts';

/** An occurrence without a window takes another response once the last one is completed. */

const answers = (choice: string) => instrument('who-5').items.map(({ linkId }) => ({ linkId, choice }));
const draft = (choice: string, minute: number) => ({
  questionnaireId: 'who-5',
  version: '1.0',
  bundleId: 'well-being',
  answers: answers(choice),
  recordedAt: `2026-03-01T11:${minute}:00.000Z`,
});

export const alwaysOpenOccurrence: Scenario = {
  name: 'always-open-occurrence',
  domain: 'questionnaire-responses',
  says: 'Two phones begin the next response of a questionnaire that is always open, while another one corrects the last.',
  setUp: async (setUp) => {
    await questionnaires(setUp);
    await setUp.call(patient, 'putQuestionnaireResponse', {
      params: { responseId: 'response-1' },
      body: draft('1', 10),
    });
    const { status } = await setUp.call(patient, 'completeQuestionnaireResponse', {
      params: { responseId: 'response-1' },
    });
    assert.equal(status, 200);
  },
  clients: {
    'phone A': { as: patient, does: (client) => writes(client, 'response-2', draft('2', 20)) },
    'phone B': {
      as: patient,
      does: async (client) => {
        const { status } = await writes(client, 'response-3', draft('3', 30));
        if (status === 200) await completes(client, 'response-3');
      },
    },
    'phone C': {
      as: patient,
      does: async ({ insist }) => {
        const { recordedAt, answers: corrected } = draft('4', 40);
        const body = { responseId: 'response-4', answers: corrected, recordedAt };
        await insist('amendQuestionnaireResponse', { params: { responseId: 'response-1' }, body });
      },
    },
  },
  clockMoves: [-5000],
  invariants: {
    'the occurrence is of the response that is open, or was the last one': (end) => {
      const claims = end.rows('QuestionnaireResponses').filter(({ part }) => /^occurrence#/.test(String(part)));
      assert.equal(claims.length, 1);
      const { responseId, status } = claims[0] ?? {};
      assert.equal(responseRow(end, responseId)?.status, status);
    },
    'one draft at most is open': (end) => {
      const open = ['response-2', 'response-3'].filter((id) => responseRow(end, id)?.status === 'draft');
      assert.ok(open.length <= 1);
    },
  },
};
