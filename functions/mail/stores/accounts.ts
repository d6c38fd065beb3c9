import { AdminGetUserCommand, type CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { type StaffAccount, type StaffAccounts, staffKey } from '../../../lib/contract/staff-accounts.ts';
import { inPartition, only } from '../../../lib/runtime/key-range.ts';
import { queryEach } from '../../../lib/runtime/query-all.ts';
import { get } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { UserPoolFailure } from '../../../lib/runtime/user-pool-failure.ts';
import { comparableEmail } from '../../users/rules.ts';
import { noticeId } from './mail-queue.ts';

/** The account that has the address; null: none. A sign-up that crashed before it gave a password made none yet. */
export async function accountWith(
  client: CognitoIdentityProviderClient,
  UserPoolId: string,
  email: string,
): Promise<{ isDisabled: boolean } | null> {
  try {
    const { UserStatus, Enabled } = await client.send(new AdminGetUserCommand({ UserPoolId, Username: email }));
    return UserStatus === 'FORCE_CHANGE_PASSWORD' ? null : { isDisabled: Enabled === false };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // What no pool takes as a name is nobody's.
    if (error.name === 'UserNotFoundException' || error.name === 'InvalidParameterException') return null;
    throw '$fault' in error ? new UserPoolFailure(error.name) : error;
  }
}

/**
 * Whether an active member of staff has the address. The profile leads to most of them; otherwise all rows are read: there are few, but
 * for those that others may write without end, and an index by address would be one more place that an address is in.
 *
 * @param profile who has the address, as far as profiles know
 */
export async function hasStaffAccount(
  table: Handle<typeof StaffAccounts, 'get' | 'query'>,
  email: string,
  profile: { readonly userId: string } | null,
): Promise<boolean> {
  const wanted = comparableEmail(email);
  // Others may write a row, too: an address is a text.
  const isIts = (row: Partial<StaffAccount> | null) =>
    row?.status === 'active' && typeof row.email === 'string' && comparableEmail(row.email) === wanted;
  if (profile && isIts(await get<StaffAccount>(table, staffKey(profile.userId)))) return true;
  const range = inPartition({ kind: staffKey('').kind });
  for await (const row of queryEach<StaffAccount>(table, only(range, ['email', 'status']))) if (isIts(row)) return true;
  return false;
}

/** The address of a member of staff; null where there is none of that id. Strongly consistent. */
export async function staffEmail(table: Handle<typeof StaffAccounts, 'get'>, userId: string): Promise<string | null> {
  const row = await get<StaffAccount>(table, staffKey(userId));
  return typeof row?.email === 'string' ? row.email : null;
}

/** The invitation of a member of staff who has not accepted it: its mail's id is of the change that made it. Strongly consistent. */
export async function openInvitation(
  table: Handle<typeof StaffAccounts, 'get'>,
  userId: string,
): Promise<{ readonly mailId: string; readonly email: string } | null> {
  const row = await get<StaffAccount>(table, staffKey(userId));
  if (row?.status !== 'invited' || typeof row.email !== 'string') return null;
  return { mailId: noticeId(userId, row.invitation?.id ?? row.changeId), email: row.email };
}
