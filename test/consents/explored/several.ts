import assert from 'node:assert/strict';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';
import { served } from '../../explorer/served.ts';
import { chainOf, consentInvariants } from './two-phones.ts';

/** The onboarding agrees to several agreements, while another phone changes one of them. */

const agreements = ['terms-of-service', 'privacy-policy', 'marketing'];
const several = { body: { versionIds: agreements.map((each) => `${each}-1.0`) } };

type Since = string | null;

export const severalAtOnce: Scenario = {
  name: 'several-at-once',
  domain: 'consents',
  says: 'The onboarding agrees to several agreements at once, while another phone agrees to one of them and revokes it.',
  setUp: catalogues,
  clients: {
    onboarding: { as: patient, does: ({ insist }) => insist('agreeToVersions', several) },
    'another phone': {
      as: patient,
      does: async ({ insist }) => {
        await insist('agree', { params: { versionId: 'marketing-1.0' } });
        await insist('revokeConsent', { params: { agreementId: 'marketing' } });
      },
    },
  },
  consumers: ['publishConsentEvents'],
  clockMoves: [-3000, 60_000],
  exhaustive: { faults: 0, most: 20_000 },
  invariants: {
    ...consentInvariants,
    ...served('onboarding', 'another phone'),
    'all or none: what only the onboarding changes is there together': (end) => {
      const [terms, privacy] = agreements.map((each) => chainOf(end, patient.userId, each));
      assert.equal(terms?.length, 1);
      assert.equal(privacy?.length, 1);
      assert.equal(terms?.[0]?.recordedAt, privacy?.[0]?.recordedAt);
    },
    'each answer has the times of the records': (end) => {
      for (const { operation, answer } of end.calls) {
        if (operation !== 'agreeToVersions' || answer.status !== 200) continue;
        const consents = answer.body.consents as unknown as { agreementId: string; agreedAt: string }[];
        assert.deepEqual(
          consents.map(({ agreementId }) => agreementId),
          agreements,
        );
        for (const { agreementId, agreedAt } of consents) {
          const agreed = chainOf(end, patient.userId, agreementId).filter(({ action }) => action === 'agreed');
          assert.ok(
            agreed.some(({ recordedAt }) => recordedAt === agreedAt),
            `${agreementId} ${agreedAt}`,
          );
        }
      }
    },
    'the history of the one that both change is linearizable': (end) => {
      const history = end.calls.map((call) => {
        const { operation, answer } = call;
        return observed<Since>(call, (since) => {
          if (operation === 'revokeConsent') return null;
          if (answer.status !== 200) return since ?? 'unknown';
          const consents = (answer.body.consents ?? []) as unknown as { agreementId: string; agreedAt: string }[];
          const at = String(
            answer.body.agreedAt ?? consents.find(({ agreementId }) => agreementId === 'marketing')?.agreedAt,
          );
          return since === null || since === 'unknown' || since === at ? at : undefined;
        });
      });
      const isAgreed = chainOf(end, patient.userId, 'marketing').at(-1)?.action === 'agreed';
      assert.ok(isLinearizable<Since>(null, history, (since) => (since !== null) === isAgreed));
    },
  },
};
