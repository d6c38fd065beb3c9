import type { Role } from '../../../lib/contract/register.ts';
import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import { roles } from '../../product.ts';

/** The directory's entry for an account. People who were invited are in the directory, too. */
export function listedAs(account: Pick<StaffAccount, 'roles' | 'status'>): {
  roles: Role[];
  status: 'active' | 'disabled';
} {
  return { roles: rolesOfRow(account), status: account.status === 'disabled' ? 'disabled' : 'active' };
}

/** In the order in which the roles are declared, without roles that no longer exist. */
export function rolesOfRow(account: Pick<StaffAccount, 'roles'>): Role[] {
  return roles.filter((role) => account.roles.includes(role));
}
