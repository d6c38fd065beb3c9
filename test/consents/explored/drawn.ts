import assert from 'node:assert/strict';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { End, Scenario } from '../../../lib/explore/scenario.ts';
import { drawnClients, type Operation } from '../../explorer/drawn.ts';
import { patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';
import { chainOf, consentInvariants } from './two-phones.ts';

/** Two phones of one user, each with changes of the same two agreements that a seed draws. */

const agreements = ['marketing', 'data-sharing'];
const versionOf = (agreementId: string) => `${agreementId}-1.0`;
const call = (operation: string, params: Readonly<Record<string, string>>): Operation => ({
  operation,
  request: { params },
});
const each = agreements.flatMap((agreementId) => [
  call('agree', { versionId: versionOf(agreementId) }),
  call('revokeConsent', { agreementId }),
]);
const both = { operation: 'agreeToVersions', request: { body: { versionIds: agreements.map(versionOf) } } };

const phone = { as: patient, operations: [...each, both] };

type Since = string | null;

/** The register of one consent: since when it stands. */
function explains(end: End, agreementId: string): boolean {
  const history = end.calls.flatMap((call) => {
    const { operation, request, answer } = call;
    const isOfBoth = operation === 'agreeToVersions';
    const { params = {} } = request;
    if (!isOfBoth && ![agreementId, versionOf(agreementId)].includes(params.agreementId ?? params.versionId ?? ''))
      return [];
    return observed<Since>(call, (since) => {
      if (operation === 'revokeConsent') return null;
      if (answer.status !== 200) return since ?? 'unknown';
      const consents = (answer.body.consents ?? []) as unknown as { agreementId: string; agreedAt: string }[];
      const at = String(answer.body.agreedAt ?? consents.find((one) => one.agreementId === agreementId)?.agreedAt);
      return since === null || since === 'unknown' || since === at ? at : undefined;
    });
  });
  const isAgreed = chainOf(end, patient.userId, agreementId).at(-1)?.action === 'agreed';
  return isLinearizable<Since>(null, history, (since) => (since !== null) === isAgreed);
}

export const consentsDrawn: Scenario = {
  name: 'consents-drawn',
  domain: 'consents',
  says: 'Two phones of one user agree to two agreements, alone or together, and revoke them: three to eight changes each, which the seed draws.',
  setUp: catalogues,
  ...drawnClients({ 'phone A': phone, 'phone B': phone }),
  consumers: ['publishConsentEvents'],
  clockMoves: [-3000, 60_000],
  invariants: {
    ...consentInvariants,
    'the history of each is linearizable': (end) => {
      for (const agreementId of agreements) assert.ok(explains(end, agreementId), agreementId);
    },
    'whoever insists is answered in the end': ({ calls }) => {
      for (const client of ['phone A', 'phone B'])
        assert.equal(calls.findLast((call) => call.client === client)?.answer.status, 200);
    },
  },
};
