import assert from 'node:assert/strict';
import { answersTampered, flagsMissing, flagsTampered } from '../../../functions/questionnaire-responses/metrics.ts';
import { flagIdOf } from '../../../functions/questionnaire-responses/rules/flag.ts';
import type { End, Scenario } from '../../../lib/explore/scenario.ts';
import { afterTheClosing, isErased } from '../../erasure/explored/closing.ts';
import { patient } from '../../explorer/people.ts';
import { completes, draft, questionnaires, safety, writes } from './phq-9.ts';

/** An erasure takes a flag and its answers away while somebody acknowledges the flag and the watchers look on, late or twice. */

const responseId = 'response-1';
const flagId = flagIdOf({ userId: patient.userId, rootId: responseId, code: 'self-harm' }, 0);

/** What the watchers would count, and tell people. */
export function nobodyIsAlarmed(end: End): void {
  for (const metric of [answersTampered, flagsMissing, flagsTampered]) assert.deepEqual(end.metric(metric), []);
  assert.deepEqual(end.outside.notices, []);
  assert.deepEqual(end.rows('QuestionnaireEvidence'), []);
}

const ofFlags = ['QuestionnaireFlags', 'FlagDecisions', 'QuestionnaireResponses'];

export const flagErased: Scenario = {
  name: 'flag-erased',
  domain: 'questionnaire-responses',
  says: 'An account is erased while clinical safety acknowledges and clears its flag, and the watchers of flags and answers look on.',
  setUp: (setUp) =>
    afterTheClosing(setUp, async (before) => {
      await questionnaires(before);
      const insist = (operation: string, request = {}) => before.call(patient, operation, request);
      await writes({ insist }, responseId, draft(2, null));
      await completes({ insist }, responseId);
    }),
  clients: {
    safety: {
      as: safety,
      does: async ({ insist }) => {
        await insist('acknowledgeFlag', { params: { flagId } });
        await insist('endFlag', { params: { flagId }, body: { outcome: 'cleared' } });
      },
    },
  },
  consumers: ['watchFlagRows', 'watchAnswers'],
  schedules: { eraseAccounts: 2 },
  finally: ['eraseAccounts', 'eraseAccounts'],
  clockMoves: [-5000, 60_000],
  invariants: {
    'nobody is told of an attack': nobodyIsAlarmed,
    'of an erased user no answer, flag or decision remains or comes back': (end) => {
      assert.ok(isErased(end), 'the account is erased');
      for (const table of ofFlags)
        assert.deepEqual(
          end.rows(table).filter((row) => JSON.stringify(row).includes(patient.userId)),
          [],
        );
    },
    'whoever decides is answered': ({ calls }) => {
      for (const { answer } of calls.filter(({ client }) => client === 'safety'))
        assert.ok([0, 200, 404, 502, 503, 504].includes(answer.status), String(answer.status));
    },
  },
};
