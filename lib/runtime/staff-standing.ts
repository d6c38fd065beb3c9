import { rolesByRow, type StaffAccount, type StaffAccounts, staffKey } from '../contract/staff-accounts.ts';
import { get } from './rows.ts';
import type { Handle } from './table-handle.ts';
import type { Claims } from './token.ts';

/**
 * The roles that count for a staff member's token: those of the member's row, read strongly consistently.
 *
 * @returns null where the token is no longer valid
 */
export async function staffRolesOf(
  accounts: Handle<typeof StaffAccounts, 'get'>,
  claims: Claims,
): Promise<readonly string[] | null> {
  return rolesByRow(await get<StaffAccount>(accounts, staffKey(claims.userId)), claims, new Date());
}
