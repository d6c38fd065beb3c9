import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Call, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { done, emailOf, inThePool, livesInThePool, password, signedIn } from '../../auth/explored/people.ts';
import { patient } from '../../explorer/people.ts';
import { codeIn } from '../../mail/explored/codes.ts';
import { secureTokenIn } from '../../mail/token.ts';

/** A thief changes the address of an account, and its owner says from the old one that this was somebody else. */

const own = emailOf(patient);
const [second, third] = ['second@example.com', 'third@example.com'];
let [stolen, ofOwner, ofThief, code, resetCode] = ['', '', '', '', ''];
const thiefs = 'the-passphrase-of-the-thief';
const session = { sessionId: 'of the thief', signedInAt: 0 };

const securing = (token: string) => ({ body: { token } });
const isSecured = (call: Call) =>
  done('secureAccount')(call) && (call.answer.body as { status?: string }).status === 'secured';
const byOwner = (call: Call) => (call.request.body as { token?: string }).token === ofOwner;
const secured = (end: End) => end.calls.filter((call) => isSecured(call) && byOwner(call));
const poolUser = ({ outside }: End) => outside.users[patient.userId];
const profile = ({ rows }: End): Row | undefined => rows('Users').find(({ userId }) => userId === patient.userId);
/** It has the first address, and nothing of before opens it. */
function isOwners(end: End): void {
  assert.equal(poolUser(end)?.attributes.email, own);
  assert.equal(profile(end)?.email, own);
  assert.ok(![password, thiefs].includes(poolUser(end)?.password ?? ''));
  assert.ok(!livesInThePool(end, stolen));
  for (const { endedAt } of end.rows('Sessions')) assert.ok(endedAt);
}

/** In the queue, or sent. */
const lossMailed = ({ outside }: End) =>
  (outside.queues.MailQueue ?? []).some(({ body }) => body.includes('"address-restored"')) ||
  outside.mails.some(({ to, subject }) => [second, third].includes(to) && subject.includes('former address'));

export const notMeBesideAnotherChange: Scenario = {
  name: 'not-me-beside-another-change',
  domain: 'accounts',
  says: 'A thief has changed the address and changes it again, while the owner takes it back with a link, twice at once; the thief also uses a link and resets the password.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    stolen = await signedIn(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
    const change = async (email: string) => {
      assert.ok((await setUp.call(patient, 'requestEmailChange', { body: { password, email } })).status < 300);
      await setUp.settle();
      return codeIn(setUp.outside.mails.findLast(({ to }) => to === email)?.text ?? '');
    };
    const first = { body: { email: second, code: await change(second) } };
    assert.equal((await setUp.call(patient, 'verifyEmailChange', first)).status, 200);
    code = await change(third);
    assert.equal(
      (await setUp.call(patient, 'issueTokens', { body: { grantType: 'password', username: second, password } }))
        .status,
      200,
    );
    await setUp.settle();
    ofThief = secureTokenIn(setUp.outside.mails.findLast(({ to }) => to === second)?.text);
    ofOwner = secureTokenIn(setUp.outside.mails.findLast(({ to }) => to === own)?.text);
    assert.ok((await setUp.call(patient, 'forgotPassword', { body: { email: second } })).status < 300);
    await setUp.settle();
    resetCode = codeIn(setUp.outside.mails.at(-1)?.text ?? '');
    assert.notEqual(resetCode, '');
    session.signedInAt = Math.floor(setUp.now() / 1000);
    setUp.pass(20_000);
  },
  clients: {
    owner: { as: patient, does: ({ insist }) => insist('secureAccount', securing(ofOwner)) },
    'owner again': { as: patient, does: ({ insist }) => insist('secureAccount', securing(ofOwner)) },
    thief: {
      as: patient,
      does: async ({ insist }) => {
        await insist('verifyEmailChange', { session, body: { email: third, code } });
        await insist('secureAccount', securing(ofThief));
      },
    },
    'thief at the mailbox': {
      as: patient,
      does: ({ insist }) => insist('resetPassword', { body: { email: second, code: resetCode, password: thiefs } }),
    },
  },
  consumers: ['sendMail'],
  // Less than a turn: no function runs for as long as one.
  clockMoves: [-3000, 5000],
  invariants: {
    'the pool and the profile have one address': (end) => {
      if (end.calls.every(isAnswered)) assert.equal(profile(end)?.email, poolUser(end)?.attributes.email);
    },
    'once the owner was answered, the account is the owner’s': (end) => {
      if (secured(end).length > 0) isOwners(end);
    },
    'a link of the owner works once, and as a whole': async (end) => {
      const { length } = secured(end);
      assert.ok(length <= 1);
      const again = await end.call(patient, 'secureAccount', securing(ofOwner));
      // Whoever died holds its turn for 25 seconds.
      if (again.status === 503 && end.rows('MailRecords').some(({ turnUntil }) => turnUntil > end.now)) return;
      assert.equal(again.status, 200);
      isOwners(end);
      if (length > 0) assert.deepEqual(again.body, { status: 'link-used', addressRestored: false });
    },
    'the owner’s link does what it says': (end) => {
      const asked = end.calls.filter((call) => call.operation === 'secureAccount' && byOwner(call));
      assert.ok(secured(end).length > 0 || asked.some((call) => !isAnswered(call)));
    },
    'the address that the account loses gets a mail': (end) => {
      if (secured(end).length > 0) assert.ok(lossMailed(end));
    },
    'each request is answered as declared': ({ calls }) => {
      for (const call of calls.filter(isAnswered)) {
        assert.ok([200, ...(call.operation === 'secureAccount' ? [] : [400, 401])].includes(call.answer.status));
      }
    },
  },
};
