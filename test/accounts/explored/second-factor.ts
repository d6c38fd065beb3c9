import assert from 'node:assert/strict';
import { presentCode } from '../../../lib/explore/outside/user-pool.ts';
import type { Request, Scenario } from '../../../lib/explore/scenario.ts';
import { inThePool, password } from '../../auth/explored/people.ts';
import { patient } from '../../explorer/people.ts';

/** Who turns a second factor off may be a thief, who does not ask again for the sake of the notice. */

const claims = { sub: patient.userId, username: patient.userId, origin_jti: 'session-of-the-token', auth_time: 0 };
const accessToken = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.e30`;
// The thief knows the password and has the phone.
const asks: Request = {
  headers: { Authorization: `Bearer ${accessToken}` },
  body: { password, presentCode },
};

export const secondFactorOff: Scenario = {
  name: 'second-factor-off',
  domain: 'accounts',
  says: 'A thief and the owner turn off the second factor; neither asks again.',
  setUp: async (setUp) => {
    inThePool(setUp, patient, { hasApp: true });
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
  },
  clients: {
    'a thief': { as: patient, does: ({ call }) => call('removeSecondFactor', asks) },
    'the owner': { as: patient, does: ({ call }) => call('removeSecondFactor', asks) },
  },
  consumers: ['sendMail'],
  invariants: {
    'the owner is told of each change': ({ outside }) => {
      if (outside.users[patient.userId]?.hasApp !== false) return;
      const waiting = outside.queues.MailQueue ?? [];
      assert.ok(waiting.length + outside.mails.length > 0, 'the second factor is off, and no mail says so');
    },
    'what was answered is done': ({ calls, outside }) => {
      if (calls.some(({ answer }) => answer.status === 200)) assert.equal(outside.users[patient.userId]?.hasApp, false);
    },
  },
};
