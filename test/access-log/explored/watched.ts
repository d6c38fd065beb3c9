import assert from 'node:assert/strict';
import type { Scenario, SetUp } from '../../../lib/explore/scenario.ts';
import { aUser, userId } from '../../erasure/explored/accounts.ts';
import { admin, otherAdmin, patient } from '../../explorer/people.ts';

/** What functions write honestly into the access log and the audit events is no finding of their watchers. */

const ofPatient = { params: { userId } };
const dayMs = 86_400_000;
const tables = ['AccessLog', 'AuditEvents'];

/** An old look, whose three years are over. */
async function anOldLook(setUp: SetUp): Promise<void> {
  await aUser(setUp);
  assert.equal((await setUp.call(admin, 'listSignInsOfUser', ofPatient)).status, 200);
  await setUp.settle();
  setUp.pass(1097 * dayMs);
}

export const looksBesideErasure: Scenario = {
  name: 'looks-beside-erasure',
  domain: 'access-log',
  says: 'Two administrators look at a user, hold and erase the account, while old looks expire and both watchers read.',
  setUp: anOldLook,
  clients: {
    admin: {
      as: admin,
      does: async ({ insist }) => {
        await insist('listSignInsOfUser', ofPatient);
        await insist('requestErasureOf', ofPatient);
      },
    },
    'other admin': {
      as: otherAdmin,
      does: async ({ insist }) => {
        await insist('setLegalHold', { ...ofPatient, body: { reason: 'LEGAL-2029-1' } });
        await insist('liftLegalHold', ofPatient);
      },
    },
    patient: { as: patient, does: ({ insist }) => insist('listAccessLog') },
  },
  consumers: ['watchAccessLog', 'watchAuditEvents'],
  schedules: { eraseAccounts: 2 },
  finally: ['eraseAccounts'],
  clockMoves: [-3000, 2000],
  invariants: {
    'no alarm is raised': ({ outside, metric }) => {
      assert.deepEqual(outside.notices, []);
      for (const name of ['accessLogTamperedWith', 'auditEventsTamperedWith']) assert.deepEqual(metric(name), []);
    },
    'rows are only appended, and only what has expired is deleted': ({ changes, now }) => {
      for (const { before, after } of tables.flatMap((name) => changes(name))) {
        if (before === null) continue;
        assert.equal(after, null);
        assert.ok(before.expiresAt * 1000 <= now);
      }
    },
    'each look and each event that was answered is there': ({ rows, calls }) => {
      for (const { operation, answer } of calls.filter((call) => call.client !== 'patient')) {
        if (answer.status !== 200) continue;
        const looks = rows('AccessLog').filter((row) => row.userId === userId);
        assert.ok(looks.length > 0, operation);
        const event = { setLegalHold: 'legal-hold.placed', liftLegalHold: 'legal-hold.lifted' }[operation];
        if (event)
          assert.ok(
            rows('AuditEvents').some(({ action }) => action === event),
            event,
          );
      }
    },
    'nothing is given up': ({ deadLetters }) => assert.deepEqual(deadLetters, []),
  },
};
