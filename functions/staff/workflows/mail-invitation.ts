import { randomUUID } from 'node:crypto';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import type { StaffAccount, StaffAccounts } from '../../../lib/contract/staff-accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditOccasion, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { linkPasswordOf, mailLinkTo } from '../../mail/exports.ts';
import { staffInvitedAgain } from '../audit-actions.ts';
import { auditedStanding, invitationOf } from '../rules/staff.ts';
import { invitationMailId } from '../stores/invitation-mail.ts';
import { putAccount, readAccount } from '../stores/staff-rows.ts';
import { type Pool, setTemporaryPassword } from '../stores/user-pool.ts';
import { nextRevision } from './change-staff.ts';

/** What the mail says of who invites, and where to. Names; null where none is known. */
type Inviting = { readonly inviter: string | null; readonly clinic?: string | null };

type MailDependencies = {
  readonly tables: { readonly StaffAccounts: Handle<typeof StaffAccounts, 'get' | 'put'> };
  readonly queueUrl: string;
  readonly secret: KeyRing;
  readonly pool: Pool;
};

/**
 * The same invitation has the same code and one mail: a repeated request answers the code again and sends no second mail, unless a
 * crash kept the first one from being sent.
 *
 * @returns the code; null if nobody is invited, or there is no address
 * @throws an Error if SQS does not accept the message
 */
export async function mailInvitation(
  deps: MailDependencies,
  account: StaffAccount,
  { inviter, clinic = null }: Inviting,
): Promise<string | null> {
  const { userId, email, status, locale, isReset = false } = account;
  if (email === null || status !== 'invited') return null;
  const data = { ...(inviter !== null && { inviter }), ...(clinic !== null && { clinic }) };
  const mail = {
    application: 'medinfo',
    to: { email },
    locale: locale ?? null,
    data,
    keep: { staffId: userId },
  } as const;
  const kind = isReset ? 'staff-reset' : 'staff-invitation';
  return mailLinkTo(
    deps,
    { ...mail, kind },
    {
      mailId: invitationMailId(account),
      askedAt: invitationOf(account).at,
      before: () => prepareSignIn(deps, userId),
    },
  );
}

/**
 * Sets the temporary password that the mail's link and its code open. If two renewals run at once, at least one reads the other's row after
 * setting its password: so the password of the latest invitation is the last one that is set.
 */
async function prepareSignIn({ tables, secret, pool }: MailDependencies, userId: string): Promise<void> {
  for (let prepared: string | undefined; ; ) {
    const account = await readAccount(tables.StaffAccounts, userId);
    // Somebody who has chosen a password keeps it.
    if (account?.status !== 'invited' || invitationOf(account).id === prepared) return;
    await setTemporaryPassword(pool, userId, linkPasswordOf(secret, invitationMailId(account)));
    prepared = invitationOf(account).id;
  }
}

/**
 * First one transaction writes the audit event and the account's next invitation, which has a code of its own. So the repeated request of
 * the invitation answers this code, and not one that has stopped working. If nothing can be written, no mail is sent.
 *
 * @param found as it was read
 * @returns the code; null if nobody is invited any more
 * @throws a Failure `UNAVAILABLE`
 */
export async function mailAgain(
  deps: MailDependencies & { readonly tables: { readonly AuditEvents: AuditEvents<'put'> } },
  found: StaffAccount,
  inviter: string | null,
  occasion: AuditOccasion,
): Promise<string | null> {
  const { tables } = deps;
  const renewed = await retryOnContention<StaffAccount | null>(async (attempt) => {
    const before = attempt === 0 ? found : await readAccount(tables.StaffAccounts, found.userId);
    if (before?.status !== 'invited') return null;
    const next = nextRevision(before, occasion.realNow);
    const account = { ...before, ...next, invitation: { id: next.changeId, at: next.updatedAt } };
    const said = {
      action: staffInvitedAgain,
      subject: `staff/${account.userId}`,
      before: null,
      after: auditedStanding(account),
    };
    const event = auditEvent({ ...occasion, ...said, random: randomUUID() });
    const items = [putAccount(tables.StaffAccounts, account), auditPut(tables.AuditEvents, event)];
    return (await commit(items)) ? account : contended;
  });
  return renewed && mailInvitation(deps, renewed, { inviter });
}
