import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { otherPatient, patient } from '../../explorer/people.ts';
import { codeIn, redeemed } from './codes.ts';

/** Its row is made by the redemption, under an id that follows from what the user types. */

const does: Scenario['clients'][string]['does'] = async ({ insist }) => {
  await insist('redeemAccessCode', redeemed({ code: 'ZZAABCDEFGHIJKLT' }));
};

export const insurersCode: Scenario = {
  name: 'insurers-code',
  domain: 'access-codes',
  says: 'Two users redeem the same code of an insurer, one of them on two phones.',
  // Only there a verifier says that a code is valid.
  variables: { ENVIRONMENT: 'dev' },
  clients: {
    one: { as: patient, does },
    'phone B of one': { as: patient, does },
    other: { as: otherPatient, does },
  },
  invariants: {
    'one user has one entitlement': ({ rows, calls }) => {
      const [entitlement, ...more] = rows('Entitlements');
      assert.deepEqual(more, []);
      for (const { client, answer } of calls.filter(({ answer }) => answer.status === 200)) {
        assert.equal(client === 'other' ? 'patient-2' : 'patient-1', entitlement?.userId);
        assert.equal(answer.body.entitlementId, entitlement?.entitlementId);
      }
    },
    'who was first is answered so, and everybody else that it is redeemed': ({ calls, rows }) => {
      for (const client of Object.keys(insurersCode.clients)) {
        const last = calls.filter((call) => call.client === client).at(-1);
        assert.ok(last);
        const isFirst = rows('Entitlements')[0]?.userId === (client === 'other' ? 'patient-2' : 'patient-1');
        assert.equal(last.answer.status, isFirst ? 200 : 409);
        if (!isFirst) assert.equal(codeIn(last), 'ACCESS_CODE_REDEEMED');
      }
    },
  },
};
