import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { issue, redeemed } from '../../access-codes/explored/codes.ts';
import { boardInvariants, meets } from '../../agent-board/explored/board.ts';
import { patient } from '../../explorer/people.ts';
import { questionnaires } from './phq-9.ts';

/** A message about what is due, of which runs at once send one. */

export const remindedByTwoRuns: Scenario = {
  name: 'reminded-by-two-runs',
  domain: 'questionnaire-responses',
  says: 'Two runs at once remind a patient of what is due while the patient looks at the list.',
  setUp: async (setUp) => {
    await questionnaires(setUp);
    await meets(setUp, patient);
    const { codes } = await issue(setUp, { count: 1 });
    const { status } = await setUp.call(patient, 'redeemAccessCode', redeemed(codes[0]));
    assert.equal(status, 200);
    // A run goes on from where the last one stopped, and not through the dates before.
    const position = { bundleId: 'sleep-start', date: '2026-03-01', last: null };
    await setUp.put('QuestionnaireResponses', { userId: '~reminders', part: 'position', position });
  },
  clients: { phone: { as: patient, does: async ({ insist }) => void (await insist('listDueBundles')) } },
  schedules: { remindOfQuestionnaires: 1 },
  finally: ['remindOfQuestionnaires'],
  faults: { most: 1, only: ['twice'] },
  invariants: {
    ...boardInvariants,
    'the patient is reminded of each occurrence once': ({ rows }) => {
      const posted = rows('AgentBoardMessages').filter(({ authorId }) => authorId === 'questionnaires');
      assert.equal(posted.length, 1);
      const own = rows('QuestionnaireResponses');
      assert.equal(own.find(({ part }) => part === 'reminder#sent')?.revision, 1);
      assert.equal(own.filter(({ part }) => /^reminder#.*#start$/.test(String(part))).length, 1);
    },
  },
};
