import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Call, End, Scenario } from '../../../lib/explore/scenario.ts';
import { inThePool, livesInThePool, renewing, signedIn } from '../../auth/explored/people.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';

/** Two administrators disable and enable one user of the app: the user pool follows the row. */

const params = { userId: patient.userId };
let token = '';

const entryOf = ({ rows }: End) =>
  rows('UserDirectory').find(({ list, entry }) => list === `user#${patient.userId}` && entry === 'user');

const isSwitch = ({ operation }: Call) => operation === 'disableUser' || operation === 'enableUser';

/** Whether each administrator heard in the end that all is done. */
function isTold({ calls }: End): boolean {
  const last = new Map(calls.filter(isSwitch).map((call) => [call.client, call]));
  return [...last.values()].every(isAnswered);
}

export const disabledUser: Scenario = {
  name: 'disabled-user',
  domain: 'app-users',
  says: 'Two administrators disable and enable one user while the phone renews its session.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
    await setUp.settle();
    token = await signedIn(setUp, patient);
  },
  clients: {
    admin: {
      as: admin,
      does: async ({ insist }) => {
        await insist('disableUser', { params });
        await insist('enableUser', { params });
      },
    },
    'other admin': { as: otherAdmin, does: ({ insist }) => insist('disableUser', { params }) },
    phone: { as: patient, does: ({ insist }) => insist('issueTokens', renewing(token)) },
  },
  consumers: ['listUsers'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'the pool follows the row': (end) => {
      if (isTold(end)) assert.equal(end.outside.users[patient.userId]?.enabled, entryOf(end)?.status === 'active');
    },
    'each change is audited once': ({ rows, written }) => {
      const changes = written().filter(
        ({ table, before, after }) =>
          table === 'UserDirectory' && after?.entry === 'user' && before && before.status !== after.status,
      );
      assert.equal(rows('AuditEvents').length, changes.length);
    },
    'the lists agree': async (end) => {
      const status = String(entryOf(end)?.status);
      for (const each of ['active', 'disabled']) {
        const answer = await end.call(admin, 'findUsers', { query: { status: each } });
        const ids = (answer.body as unknown as { items: { userId: string }[] }).items.map(({ userId }) => userId);
        assert.deepEqual(ids, each === status ? [patient.userId] : [], `list of ${each}`);
      }
    },
    'every session from before the disabling has ended': (end) => {
      const told = end.calls.filter(({ operation, answer }) => operation === 'disableUser' && answer.status === 200);
      if (told.length === 0) return;
      const firstEnd = Math.min(...told.map(({ ended }) => ended));
      assert.ok(!livesInThePool(end, token));
      for (const call of end.calls.filter(
        ({ operation, answer }) => operation === 'issueTokens' && answer.status === 200,
      )) {
        assert.ok(call.begun < firstEnd, 'a session was renewed after it was told to be over');
        const { refreshToken } = call.answer.body as unknown as { refreshToken: string };
        assert.ok(!livesInThePool(end, refreshToken));
      }
    },
    'an answer has the requested state, or a later one': ({ calls }) => {
      for (const call of calls.filter((each) => isSwitch(each) && isAnswered(each))) {
        assert.equal(call.answer.status, 200);
        const wanted = call.operation === 'disableUser' ? 'disabled' : 'active';
        assert.equal(call.answer.body.status, wanted);
      }
    },
  },
};

const mailsToTheUser = ({ rows }: End) =>
  rows('MailRecords').filter(({ mailRecord }) => String(mailRecord).startsWith('mail#'));

export const disabledUserIsTold: Scenario = {
  name: 'disabled-user-is-told',
  domain: 'app-users',
  says: 'Two administrators disable and enable one user, who gets a mail about each change.',
  setUp: async (setUp) => {
    inThePool(setUp, patient);
    assert.equal((await setUp.call(patient, 'readProfile')).status, 200);
    await setUp.settle();
  },
  clients: {
    admin: {
      as: admin,
      does: async ({ insist }) => {
        await insist('disableUser', { params });
        await insist('enableUser', { params });
      },
    },
    'other admin': { as: otherAdmin, does: ({ insist }) => insist('disableUser', { params }) },
  },
  consumers: ['listUsers', 'sendMail'],
  clockMoves: [-3000, 60_000],
  invariants: {
    'each change is told once': (end) => {
      const changes = Number(entryOf(end)?.revision) - 1;
      assert.ok(mailsToTheUser(end).length <= changes);
      if (!end.calls.every(isAnswered)) return;
      assert.equal(mailsToTheUser(end).filter(({ sentAt }) => sentAt).length, changes);
    },
    'the last state is mailed to the user': (end) => {
      if (!isTold(end)) return;
      const isOpen = entryOf(end)?.status === 'active';
      const subject = isOpen ? 'Your account is open again' : 'Your account was disabled';
      assert.ok(end.outside.mails.some((mail) => mail.subject === subject));
    },
  },
};
