import assert from 'node:assert/strict';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { inThePool, isAnswered } from '../../auth/explored/people.ts';
import { admin } from '../../explorer/people.ts';
import { accountOf, changesAreAudited, rosterIsTrue } from './administrators.ts';

/** An invitation is accepted twice at once, while its administrator takes it back. */

const email = 'new@example.com';
let staffId = '';
let code = '';
const passwords = { 'phone A': 'the-first-passphrase', 'phone B': 'the-second-passphrase' } as const;
const accepting = (client: keyof typeof passwords) => ({ body: { email, code, password: passwords[client] } });

export const invitation: Scenario = {
  name: 'invitation-accepted-twice',
  domain: 'staff',
  says: 'Somebody accepts an invitation on two phones while an administrator disables the account.',
  setUp: async (setUp) => {
    inThePool(setUp, admin);
    const body = { email, name: 'New', roles: ['admin'] };
    const { status, body: invited } = await setUp.call(admin, 'inviteStaff', { body });
    assert.equal(status, 201);
    staffId = String(invited.staffId);
    await setUp.settle();
    const text = setUp.outside.mails.at(-1)?.text ?? '';
    code = /\b(\d{6,10})\b/.exec(text)?.[1] ?? '';
    assert.notEqual(code, '', text);
  },
  clients: {
    'phone A': {
      as: admin,
      does: async ({ insist }) => void (await insist('acceptStaffInvitation', accepting('phone A'))),
    },
    'phone B': {
      as: admin,
      does: async ({ insist }) => void (await insist('acceptStaffInvitation', accepting('phone B'))),
    },
    admin: { as: admin, does: async ({ insist }) => void (await insist('disableStaff', { params: { staffId } })) },
  },
  consumers: ['sendMail'],
  faults: { most: 2 },
  clockMoves: [-3000, 60_000],
  invariants: {
    'the roster has the active administrators': rosterIsTrue,
    'each change is audited once': changesAreAudited,
    'it is accepted once': (end) => {
      const accepted = end.rows('AuditEvents').filter(({ action }) => String(action).includes('accepted'));
      assert.ok(accepted.length <= 1);
      if (end.calls.some((call) => call.operation === 'acceptStaffInvitation' && call.answer.status === 200)) {
        assert.equal(accepted.length, 1);
        assert.ok(accountOf(end, staffId)?.acceptedAt);
      }
    },
    'who was disabled cannot sign in': (end) => {
      const disabled = end.calls.some(({ operation, answer }) => operation === 'disableStaff' && answer.status === 200);
      if (!disabled) return;
      assert.equal(accountOf(end, staffId)?.status, 'disabled');
      assert.equal(end.outside.users[staffId]?.enabled, false);
    },
    'the password is one of those that were sent with the code and not refused': (end) => {
      const possible = end.calls
        .filter(
          (call) => call.operation === 'acceptStaffInvitation' && (call.answer.status === 200 || !isAnswered(call)),
        )
        .map(({ client }) => passwords[client as keyof typeof passwords]);
      const { password, status } = end.outside.users[staffId] ?? {};
      if (status !== 'CONFIRMED') return;
      // Of one that was refused because the account was disabled meanwhile the password may stay: it signs nobody in.
      if (accountOf(end, staffId)?.status !== 'disabled') assert.ok(possible.includes(password as never));
    },
    'a code that was answered works no more': async (end) => {
      if (!end.calls.some((call) => call.operation === 'acceptStaffInvitation' && call.answer.status === 200)) return;
      const before = end.outside.users[staffId]?.password;
      const body = { email, code, password: 'the-third-passphrase' };
      const { status } = await end.call(admin, 'acceptStaffInvitation', { body });
      assert.equal(status, 400);
      assert.equal(end.outside.users[staffId]?.password, before);
    },
  },
};
