import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules.ts';
import { forgottenCodes } from '../../auth/exports.ts';
import { comparableEmail } from '../../users/rules.ts';
import { staffAccepted } from '../audit-actions.ts';
import { accepts, auditedStanding, isAdmin } from '../rules/staff.ts';
import { onRoster, putAccount, readAccount } from '../stores/staff-rows.ts';
import { type Pool, setPassword } from '../stores/user-pool.ts';
import { nextRevision } from './change-staff.ts';

type Place = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: { readonly StaffAccounts: string; readonly RecoveryCodes: string; readonly AuditEvents: string };
  readonly pool: Pool;
};

/**
 * Sets the password first, and then changes the row, which ends the code. After a crash in between, the same code still works. A
 * second request with the code in the meantime sets its password, too: both requests had the code.
 */
export async function acceptInvitation(
  { client, tables, pool }: Place,
  { userId, email, password }: { userId: string; email: string; password: string },
  occasion: Pick<AuditEvent, 'application' | 'requestId'> & { readonly realNow: Date },
): Promise<'accepted' | 'weak' | 'closed'> {
  const invited = await readAccount(client, tables.StaffAccounts, userId);
  const isTheirs = invited?.email != null && comparableEmail(invited.email) === comparableEmail(email);
  if (!isTheirs || invited.status !== 'invited') return 'closed';
  if (!(await setPassword(pool, userId, password))) return 'weak';
  return retryOnContention<'accepted' | 'closed'>(async () => {
    const before = await readAccount(client, tables.StaffAccounts, userId);
    const accepted = before && accepts(before, occasion.realNow);
    // Either another request used the code first, or an administrator disabled the account.
    if (!accepted) return before?.status === 'active' ? 'accepted' : 'closed';
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
    return (await commit(client, items)) ? 'accepted' : contended;
  });
}
