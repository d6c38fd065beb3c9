import { randomUUID } from 'node:crypto';
import type { StaffAccount, StaffAccounts } from '../../../lib/contract/staff-accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { auditPut } from '../../audit/exports.ts';
import { auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { directoryChange } from '../../crm-users/exports.ts';
import type { StaffDirectory } from '../../crm-users/tables.ts';
import { staffEntered } from '../audit-actions.ts';
import { auditedStanding, isAdmin, unadministered } from '../rules/staff.ts';
import { onRoster, putAccount, readAccount, readAdmins } from '../stores/staff-rows.ts';
import { nextRevision } from '../workflows/change-staff.ts';
import { listedAs } from '../workflows/listed-as.ts';

export type EnterDependencies = {
  readonly tables: {
    readonly StaffAccounts: Handle<typeof StaffAccounts, 'get' | 'put' | 'update'>;
    readonly StaffDirectory: StaffDirectory<'get' | 'put' | 'remove'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
};

type Entering = {
  readonly actor: string;
  readonly realNow: Date;
  /** What the row says; the audit event has the real time. */
  readonly enteredAt?: Date;
};

/**
 * A part of `npm run cli -- create-user`. An operator puts a person into the staff's user pool, and this writes the person's row, which
 * decides from the start. A row of an earlier run or of an invitation gets these roles and becomes active, and an administrator's place
 * on the roster is made again.
 *
 * @throws a Failure `UNAVAILABLE` if all attempts meet contention
 */
export async function enterMember(
  { tables }: EnterDependencies,
  { userId, email, roles }: Pick<StaffAccount, 'userId' | 'email' | 'roles'>,
  { actor, realNow, enteredAt = realNow }: Entering,
  options: RetryOptions = {},
): Promise<void> {
  await retryOnContention(async () => {
    const before = await readAccount(tables.StaffAccounts, userId);
    const fresh = unadministered({ userId, email, roles: [...new Set(roles)].toSorted() }, enteredAt);
    const isSo = before?.status === 'active' && before.roles.join() === fresh.roles.join();
    // Others may empty the roster, on which nobody but an operator then puts anybody again.
    if (isSo && isAdmin(before) === (await readAdmins(tables.StaffAccounts)).has(userId)) return true;
    const kept = before && {
      createdAt: before.createdAt,
      endedAt: before.endedAt,
      ...(before.isEnding && { isEnding: true }),
    };
    const account = { ...fresh, ...kept, ...nextRevision(before ?? fresh, enteredAt) };
    const event = auditEvent({
      application: 'medinfo',
      requestId: actor,
      actor,
      action: staffEntered,
      subject: `staff/${userId}`,
      before: before && auditedStanding(before),
      after: auditedStanding(account),
      realNow,
      random: randomUUID(),
    });
    const items = [
      putAccount(tables.StaffAccounts, account),
      onRoster(tables.StaffAccounts, account, null),
      ...(await directoryChange(tables.StaffDirectory, userId, listedAs(account))),
      auditPut(tables.AuditEvents, event),
    ];
    return (await commit(items)) || contended;
  }, options);
}
