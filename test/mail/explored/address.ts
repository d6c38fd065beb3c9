import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Client, End, Row, Scenario } from '../../../lib/explore/scenario.ts';
import { emailOf, inThePool, password } from '../../auth/explored/people.ts';
import { isTombstone } from '../../erasure/explored/accounts.ts';
import { afterTheClosing, isErased } from '../../erasure/explored/closing.ts';
import { admin, otherPatient, patient } from '../../explorer/people.ts';
import { codeIn } from './codes.ts';

/** One address, which somebody signs up with while somebody else changes to it. */

const email = 'wanted@example.com';
let [changing, signing] = ['', ''];

const profiles = ({ rows }: End): Row[] =>
  rows('Users').filter((row) => !String(row.userId).startsWith('email#') && row.email === email);

async function signsUp({ insist }: Client, address: string): Promise<void> {
  const body = { email: address, code: signing, password: 'the-first-passphrase', birthYear: 1980 };
  await insist('verifySignUp', { body });
}

export const oneAddress: Scenario = {
  name: 'one-address',
  domain: 'mail',
  says: 'Somebody signs up with an address while another user changes to it.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
    assert.ok((await setUp.call(patient, 'requestEmailChange', { body: { password, email } })).status < 300);
    await setUp.settle();
    changing = codeIn(setUp.outside.mails.at(-1)?.text ?? '');
    assert.ok((await setUp.call(otherPatient, 'requestSignUp', { body: { email } })).status < 300);
    await setUp.settle();
    signing = codeIn(setUp.outside.mails.at(-1)?.text ?? '');
    assert.ok(changing && signing && changing !== signing);
  },
  clients: {
    'old user': { as: patient, does: ({ insist }) => insist('verifyEmailChange', { body: { email, code: changing } }) },
    'new user': { as: otherPatient, does: (client) => signsUp(client, email) },
  },
  consumers: ['sendMail', 'listUsers'],
  clockMoves: [-3000],
  exhaustive: { faults: 0, most: 40_000 },
  invariants: {
    'one user of the pool has the address, and the profile agrees': (end) => {
      const owners = Object.values(end.outside.users).filter(({ attributes }) => attributes.email === email);
      assert.ok(owners.length <= 1);
      const answered = end.calls.some(({ answer }) => answer.status === 200);
      if (answered)
        assert.deepEqual(
          profiles(end).map(({ userId }) => userId),
          [owners[0]?.sub],
        );
    },
    'the old user keeps the password': ({ outside }) => {
      assert.equal(outside.users[patient.userId]?.password, password);
    },
    'only one of them gets it': ({ calls }) => {
      const won = new Set(calls.filter(({ answer }) => answer.status === 200).map(({ client }) => client));
      assert.ok(won.size <= 1);
      for (const call of calls.filter(isAnswered)) assert.ok([200, 400].includes(call.answer.status));
    },
    'who was answered can be found by the address': async (end) => {
      if (!end.calls.some(({ answer }) => answer.status === 200)) return;
      const { status, body } = await end.call(admin, 'findUsers', { query: { email } });
      assert.equal(status, 200);
      const ids = (body as unknown as { items: { userId: string }[] }).items.map(({ userId }) => userId);
      assert.deepEqual(
        ids,
        profiles(end).map(({ userId }) => userId),
      );
    },
  },
};

const left = emailOf(patient);

export const addressLeft: Scenario = {
  name: 'address-left',
  domain: 'mail',
  says: 'A user changes to another address while somebody else signs up with the one that becomes free.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
    assert.ok((await setUp.call(patient, 'requestEmailChange', { body: { password, email } })).status < 300);
    await setUp.settle();
    changing = codeIn(setUp.outside.mails.at(-1)?.text ?? '');
  },
  clients: {
    'old user': { as: patient, does: ({ insist }) => insist('verifyEmailChange', { body: { email, code: changing } }) },
    'new user': { as: otherPatient, does: ({ insist }) => insist('requestSignUp', { body: { email: left } }) },
  },
  consumers: ['sendMail'],
  clockMoves: [-3000],
  invariants: {
    'the address has a mail, and nobody gets a code there': ({ outside }) => {
      const mails = outside.mails.filter(
        ({ to, subject }) => to === left && subject !== 'Your e-mail address was changed',
      );
      assert.ok(mails.length >= 1);
      for (const { subject } of mails)
        assert.ok(
          ['You already have an account', 'This e-mail address is free in a few days'].includes(subject),
          subject,
        );
    },
    'the old user has the new address': ({ outside, calls }) => {
      if (calls.some(({ operation, answer }) => operation === 'verifyEmailChange' && answer.status === 200))
        assert.equal(outside.users[patient.userId]?.attributes.email, email);
    },
  },
};

/** As the scenarios of erasure make the user. */
const erased = 'patient@example.com';
const next = 'next@example.com';

/** Only a code from before lets somebody have it now: the address that was left is held for days, and gets no code. */
export const addressTakenOver: Scenario = {
  name: 'address-taken-over',
  domain: 'users',
  says: 'Somebody signs up with an address, by a code from before another user had it, while that user changes to a next one.',
  setUp: async (setUp) => {
    await oneAddress.setUp?.(setUp);
    assert.equal((await setUp.call(patient, 'verifyEmailChange', { body: { email, code: changing } })).status, 200);
    assert.ok((await setUp.call(patient, 'requestEmailChange', { body: { password, email: next } })).status < 300);
    await setUp.settle();
    changing = codeIn(setUp.outside.mails.findLast(({ to }) => to === next)?.text ?? '');
  },
  clients: {
    'old user': {
      as: patient,
      does: ({ insist }) => insist('verifyEmailChange', { body: { email: next, code: changing } }),
    },
    'new user': oneAddress.clients['new user'] as NonNullable<Scenario['clients'][string]>,
  },
  consumers: ['sendMail'],
  faults: { most: 1 },
  invariants: {
    'each can be found by the own address': async (end) => {
      const { users } = end.outside;
      for (const [client, address] of [
        ['old user', next],
        ['new user', email],
      ]) {
        if (!end.calls.some((call) => call.client === client && call.answer.status === 200)) continue;
        const { body } = await end.call(admin, 'findUsers', { query: { email: String(address) } });
        const [found] = (body as unknown as { items: { userId: string }[] }).items;
        const owner = Object.values(users).find(({ attributes }) => attributes.email === address);
        assert.equal(found?.userId, owner?.sub);
      }
    },
  },
};

export const addressOfErased: Scenario = {
  name: 'address-of-erased',
  domain: 'users',
  says: 'Somebody signs up with the address of a user whose account is erased at that moment, and an administrator looks.',
  setUp: async (setUp) => {
    await afterTheClosing(setUp);
    // As a run leaves it that ended before the profile went.
    delete setUp.outside.users[patient.userId];
    assert.ok((await setUp.call(otherPatient, 'requestSignUp', { body: { email: erased } })).status < 300);
    await setUp.settle();
    signing = codeIn(setUp.outside.mails.at(-1)?.text ?? '');
    assert.ok(signing);
  },
  clients: {
    'new user': { as: otherPatient, does: (client) => signsUp(client, erased) },
    admin: { as: admin, does: ({ insist }) => insist('findUsers', { query: { email: erased } }) },
  },
  consumers: ['sendMail'],
  schedules: { eraseAccounts: 1 },
  finally: ['eraseAccounts'],
  faults: { most: 1 },
  invariants: {
    'of the erased user nothing is left but the id': (end) => {
      assert.ok(isErased(end));
      const profile = end.rows('Users').find(({ userId }) => userId === patient.userId) as Row;
      assert.ok(isTombstone(profile));
    },
    'whoever signed up can be found by the address': async (end) => {
      if (!end.calls.some(({ operation, answer }) => operation === 'verifySignUp' && answer.status === 200)) return;
      const { body } = await end.call(admin, 'findUsers', { query: { email: erased } });
      const [found] = (body as unknown as { items: { userId: string }[] }).items;
      const [owner] = Object.values(end.outside.users).filter(({ attributes }) => attributes.email === erased);
      assert.ok(owner && found?.userId === owner.sub);
    },
  },
};
