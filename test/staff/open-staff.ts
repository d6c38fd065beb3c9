import { setImmediate } from 'node:timers/promises';
import { beforeEach } from 'vitest';
import { enterMember } from '../../functions/staff/jobs/enter-member.ts';
import { eraseStaffAccount } from '../../functions/staff/stores/erase-staff-account.ts';
import { readAdmins } from '../../functions/staff/stores/staff-rows.ts';
import { localTables } from '../local-tables.ts';
import { partition } from '../partition.ts';
import { fakePool } from './pool.ts';

export const realNow = new Date('2026-06-01T12:00:00.000Z');
export const atOnce = { retries: 20, pause: () => setImmediate() };

/** The staff on the local DynamoDB and in a pool in memory, driven without HTTP. Each test begins without an administrator. */
export async function openStaff() {
  const { client: dynamo, tables } = await localTables(
    [
      'StaffAccounts',
      'StaffDirectory',
      'Accounts',
      'AuditEvents',
      'Sites',
      'Staff',
      'SiteStaff',
      'IdempotencyKeys',
      'Sessions',
      'EndedSessions',
      'RecoveryCodes',
    ],
    { maxAttempts: 1 },
  );
  const cognito = fakePool();
  beforeEach(async () => {
    cognito.reset();
    for (const userId of await readAdmins(tables.StaffAccounts)) {
      await eraseStaffAccount({ tables } as never, { userId, erasedAt: realNow.toISOString() });
    }
  });
  return {
    dynamo,
    tables,
    cognito,
    place: () => ({ tables, pool: cognito.pool }),
    by: (userId: string) => ({ application: 'medinfo', requestId: 'r', caller: { userId }, realNow }),
    admins: async () => [...(await readAdmins(tables.StaffAccounts))],
    /** Somebody in the pool, with the row that an operator's command writes. */
    async member(email: string, roles: readonly string[]) {
      const made = cognito.add(email);
      await enterMember({ tables }, { userId: made.sub, email, roles }, { actor: 'o', realNow }, atOnce);
      return made;
    },
    events: () => partition(dynamo, 'AuditEvents', { application: 'medinfo' }),
  };
}
