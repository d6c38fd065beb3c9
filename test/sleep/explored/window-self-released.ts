import assert from 'node:assert/strict';
import { isOpen } from '../../../lib/explore/insisting.ts';
import type { Call, Row, Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { completes, questionnaires, writes } from '../../questionnaire-responses/explored/phq-9.ts';
import { adding, instrument, phq9 } from '../../questionnaires/instruments.ts';
import { screeningAnswers, screeningDraft } from '../screening.ts';
import { codeOf, windowRows } from './diary.ts';
import { commonInvariants, fiveNights, proposed } from './window-decided.ts';

/** Two phones release a sleep window by themselves while the screening is corrected: the patient has seizures. */

const screeningId = 'screening-1';
const releasing = () => ({ body: { proposalId: proposed.proposalId } });

async function ready(setUp: SetUp): Promise<void> {
  await questionnaires(setUp);
  await fiveNights(setUp);
  const insist = (operation: string, request = {}) => setUp.call(patient, operation, request);
  await insist('readProfile');
  await insist('updateProfile', { body: { birthYear: 1980 } });
  await setUp.put('Entitlements', {
    userId: patient.userId,
    entitlementId: 'entitlement-1',
    programmeId: 'insomnia-self-guided',
    startsAt: '2026-02-20T00:00:00.000Z',
    endsAt: '2026-06-01T00:00:00.000Z',
    redeemedAt: '2026-02-20T00:00:00.000Z',
  });
  const drafts = {
    [screeningId]: screeningDraft(),
    'sleepiness-1': { questionnaireId: 'ess', version: '1.0', answers: adding(instrument('ess'), 5) },
    'mood-1': { questionnaireId: 'phq-9', version: '1.1', answers: phq9(0) },
  };
  for (const [responseId, draft] of Object.entries(drafts)) {
    await writes({ insist }, responseId, draft);
    await completes({ insist }, responseId);
  }
  const { proposal } = (await insist('readSleepWindow')).body as unknown as { proposal: { proposalId: string } };
  proposed.proposalId = proposal.proposalId;
}

const releases: Scenario['clients'][string] = {
  as: patient,
  does: ({ insist }) => insist('releaseOwnSleepWindow', releasing()),
};

export const windowSelfReleased: Scenario = {
  name: 'window-self-released',
  domain: 'sleep',
  says: 'Two phones of a patient release the same sleep window while a third device corrects the screening, which then excludes it.',
  setUp: ready,
  clients: {
    'phone A': releases,
    'phone B': releases,
    tablet: {
      as: patient,
      does: async ({ insist }) => {
        const body = { responseId: 'screening-2', answers: screeningAnswers({ seizures: 'yes' }) };
        await insist('amendQuestionnaireResponse', { params: { responseId: screeningId }, body });
      },
    },
  },
  consumers: ['publishSleepWindowEvents'],
  faults: {
    most: 2,
    only: ['lost', 'throttled', 'conflict', 'time-out', 'dies-before', 'dies-after', 'twice', 'unheard', 'clock'],
  },
  clockMoves: [-5000, 60_000],
  invariants: {
    ...commonInvariants,
    'the correction is stored': ({ calls }) =>
      assert.equal(calls.filter(({ client }) => client === 'tablet').at(-1)?.answer.status, 200),
    'one window at most is released, and both phones get the same': (end) => {
      assert.ok(windowRows(end).length <= 1);
      const told = end.calls.filter((call) => call.operation === 'releaseOwnSleepWindow' && call.answer.status === 200);
      assert.ok(new Set(told.map(({ answer }) => JSON.stringify(answer.body))).size <= 1);
      if (told.length > 0) assert.equal(windowRows(end).length, 1);
    },
    'a phone is refused only after the screening was corrected': (end) => {
      const mayBeCorrected = ({ ended }: Call) =>
        end.calls.some(({ client, begun }) => client === 'tablet' && begun < ended);
      for (const call of end.calls.filter(({ operation }) => operation === 'releaseOwnSleepWindow')) {
        if (isOpen(call) || call.answer.status === 200) continue;
        assert.match(codeOf(call), /^SLEEP_WINDOW_(BY_PHYSICIAN|SUSPENDED|CHANGED)$/);
        assert.ok(mayBeCorrected(call), `${call.client} got ${codeOf(call)} for nothing`);
      }
    },
    'whichever was first, the patient must not follow a window afterwards': async (end) => {
      const { status, tonight, proposal } = (await end.call(patient, 'readSleepWindow')).body as unknown as Row;
      assert.equal(status, windowRows(end).length === 1 ? 'suspended' : 'none');
      assert.equal(tonight?.inBedAt ?? null, null);
      assert.equal(proposal, null);
    },
  },
};
