import type { Application } from '../../../lib/contract/register.ts';
import { type StaffAccount, type StaffAccounts, staffKey } from '../../../lib/contract/staff-accounts.ts';
import { get } from '../../../lib/runtime/rows.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import type { Staff } from '../../access/data-subject.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { readProfile } from '../../users/exports.ts';
import type { Users } from '../../users/tables.ts';
import type { Owner } from '../rules/password.ts';

type Of = { readonly application: Application; readonly userId: string };
type Tables = {
  readonly Users: Users<'get'>;
  readonly StaffAccounts: Handle<typeof StaffAccounts, 'get'>;
  readonly Staff: Staff<'get'>;
};

/** Whose password it is: what may not be in it. Patients state no name. Strongly consistent. */
export async function readOwner(tables: Tables, { application, userId }: Of) {
  const profile = await readProfile(tables.Users, userId);
  if (application === 'sleepcare') return { email: profile?.email ?? null, name: null } satisfies Owner;
  // A member of staff has a profile only from the first look at it on.
  const email = profile?.email ?? (await readMember(tables.StaffAccounts, userId))?.email ?? null;
  return { email, name: await readStaffName(tables.Staff, userId) } satisfies Owner;
}

/** The row of a member of staff; null where there is none. Strongly consistent. */
export async function readMember(
  table: Handle<typeof StaffAccounts, 'get'>,
  userId: string,
): Promise<StaffAccount | null> {
  return get<StaffAccount>(table, staffKey(userId));
}
