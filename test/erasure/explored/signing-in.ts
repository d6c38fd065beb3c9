import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Client, End, Scenario } from '../../../lib/explore/scenario.ts';
import { admin, patient } from '../../explorer/people.ts';
import { aUser, stateIn, userId } from './accounts.ts';
import { common, inTheLastMoment, isErased, untilErased } from './closing.ts';

/** Sign-ins beside the erasure of the account, and what its owner is told by mail. */

const signingIn = (deviceName: string) => ({
  body: { grantType: 'password', username: 'patient@example.com', password: 'patient-patient', deviceName },
});

const signIns = ({ calls }: End) => calls.filter(({ operation }) => operation === 'issueTokens');

export const signInBesideErasure: Scenario = {
  name: 'sign-in-beside-erasure',
  domain: 'erasure',
  says: 'In the last moment of the grace two phones sign in while the run closes sign-in, and then erases the account.',
  setUp: (setUp) => inTheLastMoment(setUp),
  clients: {
    'phone A': { as: patient, does: ({ insist }) => insist('issueTokens', signingIn('phone-1')) },
    'phone B': {
      as: patient,
      does: async ({ insist }) => {
        await insist('issueTokens', signingIn('phone-2'));
        await insist('listOwnSignIns');
      },
    },
  },
  schedules: { eraseAccounts: 2 },
  finally: untilErased,
  clockMoves: [-3000, 2000, 62_000],
  invariants: {
    ...common,
    'nobody takes it back, so the account is erased': (end) => assert.ok(isErased(end)),
    'the right password gets tokens, or the answer that the account cannot be signed in to': (end) => {
      for (const { answer } of signIns(end).filter(isAnswered)) {
        if (answer.status === 200) continue;
        assert.equal(answer.status, 401);
        assert.equal(answer.body.code, 'ACCOUNT_DISABLED');
      }
    },
    'no sign-in is listed of a user who is erased': (end) => {
      assert.deepEqual(end.rows('SignIns'), []);
      // The one of before the deletion was there; otherwise the scenario would prove nothing.
      assert.ok(end.written().some(({ table, before }) => table === 'SignIns' && before));
    },
  },
};

const askTwice = async ({ insist }: Client) => {
  await insist('requestErasure');
  await insist('requestErasure');
};

/** The mails of which the queue's consumer has a record. The one about the account's first device was sent before. */
const mails = ({ rows, written }: End) => {
  const own = new Set(written().map(({ after }) => after?.mailRecord));
  return rows('MailRecords').filter(({ mailRecord }) => String(mailRecord).startsWith('mail#') && own.has(mailRecord));
};

/** Every time that the state ever had under a name: each is one decision. */
function decisions({ written }: End, name: 'requestedAt' | 'restoredAt'): string[] {
  const states = written().filter(({ table, after }) => table === 'Erasures' && after?.kind === 'user');
  return [...new Set(states.flatMap(({ after }) => (after?.[name] ? [String(after[name])] : [])))];
}

const answeredTimes = (end: End, operation: string, name: string) => {
  const done = end.calls.filter((call) => call.operation === operation && call.answer.status === 200);
  return new Set(done.map(({ answer }) => String(answer.body[name])));
};

export const deletionIsTold: Scenario = {
  name: 'deletion-is-told',
  domain: 'erasure',
  says: 'A phone asks for the deletion twice, staff ask on behalf, and another phone takes it back.',
  setUp: aUser,
  clients: {
    'phone A': { as: patient, does: askTwice },
    'phone B': { as: patient, does: ({ insist }) => insist('restoreAccount') },
    admin: { as: admin, does: ({ insist }) => insist('requestErasureOf', { params: { userId } }) },
  },
  consumers: ['sendMail'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'each confirmed deletion is mailed to the user': (end) => {
      const asked = new Set([
        ...answeredTimes(end, 'requestErasure', 'requestedAt'),
        ...answeredTimes(end, 'requestErasureOf', 'requestedAt'),
      ]);
      const told = mails(end).filter(({ sentAt }) => sentAt);
      assert.ok(told.length >= asked.size, `${told.length} mails of ${asked.size} deletions`);
    },
    'there is at most one mail for each decision': (end) => {
      const decided = decisions(end, 'requestedAt').length + decisions(end, 'restoredAt').length;
      assert.ok(mails(end).length <= decided, `${mails(end).length} mails of ${decided} decisions`);
    },
    'the last decision is mailed to the user, if its request was answered': (end) => {
      const state = stateIn(end);
      const last = end.calls
        .filter(({ operation }) => /rasure|restore/.test(operation))
        .toSorted((a, b) => b.ended - a.ended);
      if (!state || !last.every(isAnswered)) return;
      const subject = state.requestedAt ? 'Your account will be deleted' : 'Your account stays';
      assert.ok(
        end.outside.mails.some((mail) => mail.subject === subject),
        `nobody was told: ${subject}`,
      );
    },
  },
};
