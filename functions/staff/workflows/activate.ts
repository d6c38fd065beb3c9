import { randomUUID } from 'node:crypto';
import type { StaffAccounts } from '../../../lib/contract/staff-accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { forgottenCodes } from '../../auth/exports.ts';
import type { RecoveryCodes } from '../../auth/tables.ts';
import { staffAccepted } from '../audit-actions.ts';
import { accepts, auditedStanding, invitationOf, isAdmin } from '../rules/staff.ts';
import { onRoster, putAccount, readAccount } from '../stores/staff-rows.ts';
import { findAccount, type Pool } from '../stores/user-pool.ts';
import type { Accepted } from './await-activation.ts';
import { nextRevision } from './change-staff.ts';

type Dependencies = {
  readonly tables: {
    readonly StaffAccounts: Handle<typeof StaffAccounts, 'get' | 'put' | 'update'>;
    readonly RecoveryCodes: RecoveryCodes<'remove'>;
    readonly AuditEvents: AuditEvents<'put'>;
  };
  readonly pool: Pool;
};

/**
 * Gives a member the roles that the invitation named. It believes nobody that there was a link and a code: the pool says whether the
 * temporary password was replaced, for which one needs both.
 *
 * @returns closed: the account was disabled or invited anew since, or its owner has chosen no password
 */
export async function activate(
  { tables, pool }: Dependencies,
  { userId, invitationId }: Accepted,
  occasion: Pick<AuditEvent, 'application' | 'requestId'> & { readonly realNow: Date },
): Promise<'accepted' | 'closed'> {
  const owner = await findAccount(pool, userId);
  if (owner?.userId !== userId || owner.isNew || !owner.isEnabled) return 'closed';
  return retryOnContention<'accepted' | 'closed'>(async () => {
    const before = await readAccount(tables.StaffAccounts, userId);
    if (!before || invitationOf(before).id !== invitationId) return 'closed';
    const accepted = accepts(before, occasion.realNow);
    if (!accepted) return before.status === 'active' ? 'accepted' : 'closed';
    const account = { ...before, ...accepted, ...nextRevision(before, occasion.realNow) };
    const said = {
      action: staffAccepted,
      subject: `staff/${userId}`,
      before: auditedStanding(before),
      after: auditedStanding(account),
    };
    const event = auditEvent({ ...occasion, ...said, actor: userId, random: randomUUID() });
    const items = [
      putAccount(tables.StaffAccounts, account),
      // From now on the person is an administrator, as the invitation said.
      ...(isAdmin(account) ? [onRoster(tables.StaffAccounts, account, null)] : []),
      // Codes that a stolen sign-in made after the reset do not outlive it.
      forgottenCodes(tables.RecoveryCodes, userId),
      auditPut(tables.AuditEvents, event),
    ];
    return (await commit(items)) ? 'accepted' : contended;
  });
}
