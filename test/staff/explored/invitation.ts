import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import type { Scenario } from '../../../lib/explore/scenario.ts';
import { inThePool } from '../../auth/explored/people.ts';
import { admin, otherAdmin } from '../../explorer/people.ts';
import { tokenIn } from '../../mail/token.ts';
import { accountOf, changesAreAudited, entered, rosterIsTrue } from './administrators.ts';

/** An invitation is accepted twice at once, while its administrator takes it back. */

const email = 'new@example.com';
let staffId = '';
let code = '';
let token = '';
const passwords = { 'phone A': 'the-first-passphrase', 'phone B': 'the-second-passphrase' } as const;
const accepting = (client: keyof typeof passwords) => ({
  body: { email, token, code, password: passwords[client] },
});

export const invitation: Scenario = {
  name: 'invitation-accepted-twice',
  domain: 'staff',
  says: 'Somebody accepts an invitation on two phones while an administrator disables the account.',
  setUp: async (setUp) => {
    inThePool(setUp, admin);
    await entered(setUp, admin);
    const body = { email, name: 'New', roles: ['admin'] };
    const { status, body: invited } = await setUp.call(admin, 'inviteStaff', { body });
    assert.equal(status, 201);
    staffId = String(invited.staffId);
    code = String(invited.invitationCode);
    await setUp.settle();
    token = tokenIn(setUp.outside.mails.findLast(({ to }) => to === email)?.text);
  },
  clients: {
    'phone A': { as: admin, does: ({ insist }) => insist('acceptStaffInvitation', accepting('phone A')) },
    'phone B': { as: admin, does: ({ insist }) => insist('acceptStaffInvitation', accepting('phone B')) },
    admin: { as: admin, does: ({ insist }) => insist('disableStaff', { params: { staffId } }) },
  },
  consumers: ['sendMail', 'activateMember'],
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
      const body = { email, token, code, password: 'the-third-passphrase' };
      const { status } = await end.call(admin, 'acceptStaffInvitation', { body });
      assert.equal(status, 400);
      assert.equal(end.outside.users[staffId]?.password, before);
    },
  },
};

const inviting = (name: string, key: string) => ({
  body: { email, name, roles: ['agent'] },
  headers: { 'Idempotency-Key': key },
});

/** Two administrators invite one address. */
export const invitedTwice: Scenario = {
  name: 'invited-twice',
  domain: 'staff',
  says: 'Two administrators invite the same address, one of them by two requests with the same key.',
  setUp: async (setUp) => {
    for (const person of [admin, otherAdmin]) inThePool(setUp, person);
    await entered(setUp, admin, otherAdmin);
    await setUp.settle();
  },
  clients: {
    admin: { as: admin, does: ({ insist }) => insist('inviteStaff', inviting('New', 'one')) },
    'admin again': { as: admin, does: ({ insist }) => insist('inviteStaff', inviting('New', 'one')) },
    'other admin': { as: otherAdmin, does: ({ insist }) => insist('inviteStaff', inviting('Newer', 'two')) },
  },
  consumers: ['sendMail', 'activateMember'],
  clockMoves: [-3000],
  invariants: {
    'the roster has the active administrators': rosterIsTrue,
    'there is one account': (end) => {
      const rows = end.rows('StaffAccounts').filter((row) => row.email === email);
      const users = Object.values(end.outside.users).filter(({ attributes }) => attributes.email === email);
      assert.ok(rows.length <= 1 && users.length <= 1);
      for (const { operation, answer } of end.calls) {
        if (operation !== 'inviteStaff' || answer.status !== 201) continue;
        assert.equal(answer.body.staffId, rows[0]?.userId);
        assert.equal(rows[0]?.userId, users[0]?.sub);
      }
    },
    'at most one of the two invitations succeeds': (end) => {
      const won = new Set<string>();
      for (const { client, operation, answer } of end.calls) {
        if (operation !== 'inviteStaff') continue;
        if (answer.status === 201) won.add(client === 'other admin' ? client : 'admin');
        else assert.ok([0, 409, 502, 503, 504].includes(answer.status), `${answer.status}`);
      }
      assert.ok(won.size <= 1);
    },
    'who was invited has a link and a code that work': async (end) => {
      const codes = end.calls.flatMap(({ answer }) => (answer.status === 201 ? [answer.body.invitationCode] : []));
      if (codes.length === 0) return;
      // Requests with one key have one code, and their mails one link.
      const tokens = end.outside.mails.filter(({ to }) => to === email).map(({ text }) => tokenIn(text));
      assert.deepEqual([new Set(codes).size, new Set(tokens).size], [1, 1]);
      const body = { email, token: tokens[0], code: codes[0], password: 'the-first-passphrase' };
      const { status } = await end.call(admin, 'acceptStaffInvitation', { body });
      // Its queue may have no consumer any more when all has come to rest: the password was chosen before that.
      assert.ok([200, 503].includes(status), `${status}`);
      const [invited] = Object.values(end.outside.users).filter(({ attributes }) => attributes.email === email);
      assert.equal(invited?.password, body.password);
    },
    'one invitation is audited': ({ rows }) => {
      const [row] = rows('StaffAccounts').filter((each) => each.email === email);
      const own = rows('AuditEvents').filter(
        ({ before, subject }) => before === null && subject === `staff/${row?.userId}`,
      );
      assert.equal(own.length, row ? 1 : 0);
    },
  },
};
