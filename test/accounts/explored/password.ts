import assert from 'node:assert/strict';
import { sessionIn } from '../../../functions/auth/rules/token-session.ts';
import type { Call, End, Request, Scenario } from '../../../lib/explore/scenario.ts';
import {
  done,
  handedOut,
  inThePool,
  livesInThePool,
  mailsOf,
  password,
  refusals,
  renewing,
  renews,
  sessionOf,
  signedIn,
  signingIn,
  tokenIn,
} from '../../auth/explored/people.ts';
import { patient } from '../../explorer/people.ts';

/** Somebody knows the password, and the owner changes it. */

const newPassword = 'another-long-passphrase';
let stolen = '';
let own = '';
let signedInAt = 0;

const changing = (): Request => ({
  session: { sessionId: sessionOf(own), signedInAt },
  body: { currentPassword: password, password: newPassword },
});

const isByOldPassword = ({ operation, request }: Call) =>
  operation === 'issueTokens' && (request.body as { password?: string }).password === password;

/** Of the sign-ins with the password of before, and the session that was there already. */
const thiefsTokens = (end: End) => [
  stolen,
  ...handedOut({ ...end, calls: end.calls.filter(({ client }) => client === 'thief') }),
];

export const passwordChangedBesideSignIn: Scenario = {
  name: 'password-changed-beside-sign-in',
  domain: 'accounts',
  says: 'A thief who knows the password signs in and renews while the owner changes the password.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
    stolen = await signedIn(setUp, patient);
    const answer = await setUp.call(patient, 'issueTokens', signingIn(patient));
    own = tokenIn(answer);
    signedInAt = Date.parse(sessionIn(String(answer.body.accessToken))?.signedInAt ?? '') / 1000;
    // No session of before began just now.
    setUp.pass(120_000);
  },
  clients: {
    thief: {
      as: patient,
      does: async ({ insist }) => {
        const answer = await insist('issueTokens', signingIn(patient));
        await insist('issueTokens', renewing(answer.status === 200 ? tokenIn(answer) : stolen));
      },
    },
    owner: { as: patient, does: ({ insist }) => insist('changePassword', changing()) },
  },
  clockMoves: [-3000],
  invariants: {
    'once the change was answered, nothing of the old password renews': async (end) => {
      if (!end.calls.some(done('changePassword'))) return;
      for (const token of thiefsTokens(end)) {
        assert.ok(!(await renews(end, patient, token)), `${token} renews`);
        assert.ok(!livesInThePool(end, token), 'the pool would renew it');
      }
    },
    'the old password signs in nobody who begins after the answer': ({ calls }) => {
      const answered = Math.min(...calls.filter(done('changePassword')).map(({ ended }) => ended));
      const late = calls.filter((call) => isByOldPassword(call) && call.begun > answered);
      for (const { answer } of late) assert.notEqual(answer.status, 200);
    },
    'the owner stays signed in': async (end) => {
      assert.ok(await renews(end, patient, own));
    },
    'a changed password has a mail': (end) => {
      if (end.outside.users[patient.userId]?.password === newPassword)
        assert.ok(mailsOf(end, 'password-changed').length > 0);
    },
    'a sign-in or renewal answers tokens, or that it is refused': refusals,
  },
};
