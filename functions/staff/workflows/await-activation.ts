import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { sendAll } from '../../../lib/runtime/sqs.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { comparableEmail } from '../../users/rules.ts';
import { invitationOf } from '../rules/staff.ts';
import { invitationMailId } from '../stores/invitation-mail.ts';
import { readAccount } from '../stores/staff-rows.ts';
import type { StaffAccounts } from '../tables.ts';

type Dependencies = { readonly table: Handle<typeof StaffAccounts, 'get'>; readonly queueUrl: string };

/** Whose invitation, and which one: a message that comes again accepts no later one. */
export type Accepted = { readonly userId: string; readonly invitationId: string };

/**
 * The account that a link and its code open: it is invited, or that very invitation was accepted.
 *
 * @param mailId of the link's mail
 * @returns null for another address, a link from before a renewal, and an account that was disabled
 */
export async function invitedAccount(
  { table }: Pick<Dependencies, 'table'>,
  { userId, email, mailId }: { readonly userId: string; readonly email: string; readonly mailId: string },
): Promise<StaffAccount | null> {
  const account = await readAccount(table, userId);
  const isTheirs = account?.email != null && comparableEmail(account.email) === comparableEmail(email);
  return isTheirs && account.status !== 'disabled' && invitationMailId(account) === mailId ? account : null;
}

/** Some five seconds, in growing steps. */
const patience: RetryOptions = { retries: 20 };

/**
 * Has the account activated by the function that may, and waits until it is.
 *
 * @returns false if an administrator disabled the account, or renewed or reset the invitation meanwhile
 * @throws a Failure `UNAVAILABLE` where it takes longer; the same request again then finds it done
 */
export async function awaitActivation(
  { table, queueUrl }: Dependencies,
  account: StaffAccount,
  requestId: string,
  options = patience,
): Promise<boolean> {
  if (account.status === 'active') return true;
  const { userId } = account;
  const invitationId = invitationOf(account).id;
  await sendAll(queueUrl, [{ userId, invitationId, requestId }]);
  return retryOnContention(async () => {
    const now = await readAccount(table, userId);
    if (!now || now.status === 'disabled' || invitationOf(now).id !== invitationId) return false;
    return now.status === 'active' || contended;
  }, options);
}
