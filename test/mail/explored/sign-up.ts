import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { patient } from '../../explorer/people.ts';
import { codeIn } from './codes.ts';

/** Two phones finish one sign-up with the same code. */

const email = 'new@example.com';
let code = '';
const passwords = { 'phone A': 'the-first-passphrase', 'phone B': 'the-second-passphrase' } as const;
const verifying = (client: keyof typeof passwords) => ({
  body: { email, code, password: passwords[client], birthYear: 1980 },
});

export const signUp: Scenario = {
  name: 'sign-up-twice',
  domain: 'mail',
  says: 'Two phones finish one sign-up with the same code and different passwords, and one asks for a new code.',
  setUp: async (setUp) => {
    assert.ok((await setUp.call(patient, 'requestSignUp', { body: { email, locale: 'de-DE' } })).status < 300);
    await setUp.settle();
    code = codeIn(setUp.outside.mails.at(-1)?.text ?? '');
    assert.notEqual(code, '');
  },
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('verifySignUp', verifying('phone A')) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('verifySignUp', verifying('phone B'));
        await insist('issueTokens', {
          body: { grantType: 'password', username: email, password: passwords['phone B'] },
        });
      },
    },
    'phone C': { as: patient, does: ({ insist }) => insist('requestSignUp', { body: { email } }) },
  },
  consumers: ['sendMail', 'listUsers'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'there is one account, with one profile': ({ rows, outside, calls }) => {
      const users = Object.values(outside.users).filter(({ attributes }) => attributes.email === email);
      assert.ok(users.length <= 1);
      const profiles = rows('Users').filter(({ userId }) => !String(userId).startsWith('email#'));
      assert.ok(profiles.length <= 1);
      if (!calls.some(({ operation, answer }) => operation === 'verifySignUp' && answer.status === 200)) return;
      assert.equal(profiles[0]?.userId, users[0]?.sub);
      assert.equal(rows('Users').filter(({ userId }) => String(userId).startsWith('email#')).length, 1);
    },
    'who has a password has a profile': ({ rows, outside }) => {
      for (const { sub, password } of Object.values(outside.users)) {
        if (password !== null) assert.ok(rows('Users').some(({ userId }) => userId === sub));
      }
    },
    'the password is one that was not refused': ({ outside, calls }) => {
      const [user] = Object.values(outside.users);
      if (!user?.password) return;
      const possible = calls
        .filter((call) => call.operation === 'verifySignUp' && (call.answer.status === 200 || !isAnswered(call)))
        .map(({ client }) => passwords[client as keyof typeof passwords]);
      assert.ok(possible.includes(user.password as never));
    },
    'who is in the lists has a profile, and the other way round': (end) => {
      const listed = end.rows('UserDirectory').filter(({ entry }) => entry === 'user').length;
      const profiles = end.rows('Users').filter(({ userId }) => !String(userId).startsWith('email#')).length;
      assert.equal(listed, profiles);
    },
    'a code that was answered works no more': async (end) => {
      if (!end.calls.some(({ operation, answer }) => operation === 'verifySignUp' && answer.status === 200)) return;
      const [user] = Object.values(end.outside.users);
      const body = { email, code, password: 'the-third-passphrase', birthYear: 1980 };
      await end.call(patient, 'verifySignUp', { body });
      assert.equal(Object.values(end.outside.users)[0]?.password, user?.password);
    },
    'a refusal is of a code that is used, or replaced': (end) => {
      const refused = end.calls.filter((call) => call.operation === 'verifySignUp' && call.answer.status === 400);
      if (refused.length === 0) return;
      const isUsed = end.calls.some((call) => call.operation === 'verifySignUp' && call.answer.status !== 400);
      const isReplaced = end
        .written()
        .some(
          ({ table, before, after }) => table === 'MailRecords' && before?.mailId && before.mailId !== after?.mailId,
        );
      assert.ok(isUsed || isReplaced);
    },
  },
};
