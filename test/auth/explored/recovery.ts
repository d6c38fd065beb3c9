import assert from 'node:assert/strict';
import { isAnswered } from '../../../lib/explore/insisting.ts';
import { presentCode } from '../../../lib/explore/outside/user-pool.ts';
import type { Call, Scenario } from '../../../lib/explore/scenario.ts';
import { physician } from '../../explorer/people.ts';
import { emailOf, inThePool, mailsOf, password } from './people.ts';

/** Recovery codes: each works once, whoever comes at once. */

let codes: string[] = [];
const using = (index: number) => ({
  body: { username: emailOf(physician), password, recoveryCode: codes[index] ?? '' },
});
const asOwner = { body: { password, presentCode } };
const typed = ({ request }: Call) => codes.indexOf((request.body as { recoveryCode: string }).recoveryCode);
const isUse = ({ operation }: Call) => operation === 'useRecoveryCode';

const codesLeft = (row: { hashes?: Set<string> } | undefined) => row?.hashes?.size ?? 0;

export const recoveryCodes: Scenario = {
  name: 'recovery-codes',
  domain: 'auth',
  says: 'Somebody without the authenticator app uses one recovery code twice and another one, all at the same time.',
  setUp: async (setUp) => {
    inThePool(setUp, physician, { hasApp: true });
    const { status, body } = await setUp.call(physician, 'issueRecoveryCodes', asOwner);
    assert.equal(status, 200);
    codes = (body as unknown as { codes: string[] }).codes;
  },
  clients: {
    'phone A': { as: physician, does: ({ insist }) => insist('useRecoveryCode', using(0)) },
    'phone B': { as: physician, does: ({ insist }) => insist('useRecoveryCode', using(0)) },
    'phone C': { as: physician, does: ({ insist }) => insist('useRecoveryCode', using(1)) },
  },
  clockMoves: [-3000, 60_000],
  invariants: {
    'each code is taken once, with its notice and its audit event': (end) => {
      const taken = 10 - codesLeft(end.rows('RecoveryCodes')[0]);
      assert.ok(taken <= 2);
      const events = end.rows('AuditEvents').filter(({ before }) => before);
      assert.equal(events.length, taken);
      assert.ok(mailsOf(end, 'recovery-code-used').length >= taken);
    },
    'the app is removed where a code was taken and answered, and only then': (end) => {
      const taken = 10 - codesLeft(end.rows('RecoveryCodes')[0]);
      const isGone = end.outside.users[physician.userId]?.hasApp === false;
      if (isGone) assert.ok(taken > 0, 'the app is gone, and no code was taken');
      if (end.calls.some((call) => isUse(call) && call.answer.status === 200)) assert.ok(isGone);
    },
    'the audit events tell how many codes are left': (end) => {
      const events = end.rows('AuditEvents').filter(({ before }) => before);
      assert.deepEqual(events.map(({ after }) => after.left).sort(), [8, 9].slice(2 - events.length));
    },
    'a refusal is of a code that was taken': async (end) => {
      const refused = end.calls.filter((call) => isUse(call) && isAnswered(call) && call.answer.status !== 200);
      const user = end.outside.users[physician.userId];
      if (user) end.outside.users[physician.userId] = { ...user, hasApp: true };
      for (const call of refused) {
        assert.equal(call.answer.status, 401);
        const { status } = await end.call(physician, 'useRecoveryCode', using(typed(call)));
        assert.equal(status, 401, 'it works no more');
      }
    },
  },
};

export const newCodes: Scenario = {
  name: 'new-recovery-codes',
  domain: 'auth',
  says: 'A user gets new recovery codes while somebody uses an old one.',
  setUp: recoveryCodes.setUp as NonNullable<Scenario['setUp']>,
  clients: {
    owner: {
      as: physician,
      does: async ({ insist }) => {
        const { status, body } = await insist('issueRecoveryCodes', asOwner);
        const [code = ''] = status === 200 ? (body as unknown as { codes: string[] }).codes : [];
        if (code)
          await insist('useRecoveryCode', { body: { username: emailOf(physician), password, recoveryCode: code } });
      },
    },
    finder: { as: physician, does: ({ insist }) => insist('useRecoveryCode', using(0)) },
  },
  invariants: {
    'an old code removes no app after the new ones were answered': ({ calls }) => {
      const issued = calls.find(({ operation, answer }) => operation === 'issueRecoveryCodes' && answer.status === 200);
      if (!issued) return;
      const byOwner = calls.filter((call) => isUse(call) && call.client === 'owner');
      for (const call of calls.filter((each) => each.client === 'finder' && each.begun >= issued.ended)) {
        // Without the app the password is enough.
        if (call.answer.status === 200) assert.ok(byOwner.some(({ begun }) => begun < call.ended));
      }
    },
    'each set of codes and each use has its event': (end) => {
      const events = end.rows('AuditEvents');
      const written = end.written().filter(({ table }) => table === 'RecoveryCodes');
      assert.equal(events.length, written.length + 1, 'one for each change, and one of the set-up');
      assert.ok(mailsOf(end, 'recovery-codes-issued').length >= 1);
    },
    'the last set is the one that was answered last': async (end) => {
      const issued = end.calls.filter(
        ({ operation, answer }) => operation === 'issueRecoveryCodes' && answer.status === 200,
      );
      const last = issued.at(-1);
      if (!last) return;
      const user = end.outside.users[physician.userId];
      if (user) end.outside.users[physician.userId] = { ...user, hasApp: true };
      const [, second = ''] = (last.answer.body as unknown as { codes: string[] }).codes;
      const body = { username: emailOf(physician), password, recoveryCode: second };
      assert.equal((await end.call(physician, 'useRecoveryCode', { body })).status, 200);
      const left = await end.call(physician, 'useRecoveryCode', using(3));
      assert.equal(end.outside.users[physician.userId]?.hasApp === false, true);
      assert.ok([200, 401].includes(left.status));
    },
  },
};
