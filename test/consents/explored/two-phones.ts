import assert from 'node:assert/strict';
import { checkChain } from '../../../functions/ledger/rules.ts';
import { isLinearizable, observed } from '../../../lib/explore/linearizable.ts';
import type { End, Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { catalogues } from '../../explorer/seeds.ts';

/** Two phones of one user change the same consent at the same time. */

const agreementId = 'marketing';
const versionId = 'marketing-1.0';
const agreeing = { params: { versionId } };
const revoking = { params: { agreementId } };

/** The records of the user's chain, oldest first. */
export function chainOf({ rows }: End, userId: string, agreement: string) {
  return rows('ConsentRecords')
    .filter(({ userAgreement }) => userAgreement === `${userId}#${agreement}`)
    .toSorted((one, other) => one.sequence - other.sequence);
}

export const consentInvariants: Scenario['invariants'] = {
  'each chain alternates, and its hashes fit': (end) => {
    for (const [chain, records] of Map.groupBy(end.rows('ConsentRecords'), ({ userAgreement }) =>
      String(userAgreement),
    )) {
      const inOrder = records.toSorted((one, other) => one.sequence - other.sequence);
      assert.deepEqual(
        inOrder.map(({ sequence }) => sequence),
        inOrder.map((_, index) => index + 1),
      );
      assert.deepEqual(checkChain(chain, inOrder as never), []);
      for (const [index, { action }] of inOrder.entries()) assert.equal(action, index % 2 === 0 ? 'agreed' : 'revoked');
    }
  },
  'the pointer shows the last record': (end) => {
    for (const state of end.rows('ConsentStates')) {
      const last = chainOf(end, state.userId, state.agreementId).at(-1);
      assert.deepEqual({ sequence: state.sequence, hash: state.hash }, { sequence: last?.sequence, hash: last?.hash });
    }
  },
  'each change has its event': ({ rows, outside }) => {
    const told = new Set(outside.events.map(({ detail }) => String(detail.recordId)));
    for (const { recordId } of rows('ConsentRecords')) assert.ok(told.has(recordId), `no event of ${recordId}`);
  },
};

type Consent = { readonly since: string | null; readonly revokedAt: string | null };

/** The register of one consent: each answer has the time of the record that made its state. */
function explains({ calls, ...end }: End): boolean {
  const history = calls
    .filter(({ operation }) => operation === 'agree' || operation === 'revokeConsent')
    .map((call) => {
      const { answer } = call;
      if (call.operation === 'agree') {
        const at = String(answer.body.agreedAt);
        return observed<Consent>(call, (state) => {
          if (answer.status !== 200) return { since: state.since ?? 'unknown', revokedAt: null };
          if (state.since !== null && state.since !== 'unknown' && state.since !== at) return undefined;
          return { since: at, revokedAt: null };
        });
      }
      return observed<Consent>(call, (state) => {
        if (answer.status !== 200) return { since: null, revokedAt: state.revokedAt ?? 'unknown' };
        return { since: null, revokedAt: String(answer.body.revokedAt) };
      });
    });
  const [state] = end.rows('ConsentStates').filter((each) => each.agreementId === agreementId);
  const agrees = state?.action === 'agreed';
  return isLinearizable<Consent>({ since: null, revokedAt: null }, history, ({ since }) => (since !== null) === agrees);
}

export const twoPhones: Scenario = {
  name: 'two-phones',
  domain: 'consents',
  says: 'Two phones of one user agree to an agreement and revoke it.',
  setUp: catalogues,
  clients: {
    'phone A': {
      as: patient,
      does: async ({ insist }) => {
        await insist('agree', agreeing);
        await insist('revokeConsent', revoking);
      },
    },
    'phone B': { as: patient, does: ({ insist }) => insist('agree', agreeing) },
  },
  consumers: ['publishConsentEvents'],
  clockMoves: [-3000, 60_000],
  exhaustive: { faults: 0, most: 20_000 },
  invariants: {
    ...consentInvariants,
    'the history is linearizable': (end) => assert.equal(explains(end), true),
    'every answer is 200 in the end': ({ calls }) => {
      for (const client of ['phone A', 'phone B']) {
        assert.equal(calls.filter((call) => call.client === client).at(-1)?.answer.status, 200);
      }
    },
  },
};
