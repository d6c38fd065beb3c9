import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';
import { type Administered, administeredInvariants, replaces } from '../../mobile-settings/explored/administered.ts';
import { policy } from '../policy.ts';

/** Two administrators write the version policy of an app, each with the versions that it blocks; a phone checks its version meanwhile. */

const place = { application: 'sleepcare', platform: 'ios' };
const older = { query: { platform: 'ios', appVersion: '1.5.0' } };

const stored: Administered = {
  put: 'putAppVersionPolicy',
  read: 'readAppVersionPolicy',
  params: place,
  bodyOf: (minimumVersion) => policy({ minimumVersion }),
  valueOf: ({ minimumVersion }) => String(minimumVersion),
  rowOf: ({ rows }) => rows('AppVersionPolicies').find(({ platform }) => platform === place.platform),
  subject: 'app-version-policy/sleepcare/ios',
};

export const policyReplaced: Scenario = {
  name: 'policy-replaced',
  domain: 'app-version',
  says: 'Two administrators write the first version policy of an app at once and then replace it, while an older app checks its version.',
  clients: {
    'admin A': {
      as: admin,
      does: async (client) => {
        const { etag } = await replaces(client, stored, '1.0.0');
        if (etag !== null) await replaces(client, stored, '1.2.0', { 'If-Match': etag });
      },
    },
    'admin B': { as: otherAdmin, does: (client) => replaces(client, stored, '2.0.0') },
    phone: { as: patient, does: ({ insist }) => insist('checkAppVersion', older) },
  },
  // It only lets the time pass that phones keep a policy for.
  finally: ['watchFlags'],
  clockMoves: [6000],
  invariants: {
    ...administeredInvariants(stored),
    'an app is judged by a policy that there was, and starts whatever fails': ({ calls }) => {
      for (const { operation, answer } of calls) {
        if (operation !== 'checkAppVersion' || [0, 502, 504].includes(answer.status)) continue;
        const { minimumVersion, outcome, reason } = answer.body as Record<string, unknown>;
        assert.equal(answer.status, 200);
        if (reason === 'POLICY_UNAVAILABLE') assert.equal(outcome, 'normal');
        else assert.equal(outcome, minimumVersion === '2.0.0' ? 'blocked' : 'recommended');
      }
    },
    'an app is judged by the last policy once the kept one is old': async (end) => {
      const { body } = await end.call(patient, 'checkAppVersion', older);
      assert.equal(body.minimumVersion, stored.rowOf(end)?.minimumVersion);
      const isBlocked = stored.rowOf(end)?.minimumVersion === '2.0.0';
      assert.equal(body.outcome, isBlocked ? 'blocked' : 'recommended');
    },
  },
};
