import { type Role, roles } from '../../../lib/contract/roles.ts';
import type { StaffAccount } from '../rules/staff.ts';

/** What the directory says of an account. Whoever was invited is found there, too. */
export function listedAs(account: Pick<StaffAccount, 'roles' | 'status'>): {
  roles: Role[];
  status: 'active' | 'disabled';
} {
  return { roles: rolesOfRow(account), status: account.status === 'disabled' ? 'disabled' : 'active' };
}

/** In the order in which the roles are declared; what is none of them any more is left out. */
export function rolesOfRow(account: Pick<StaffAccount, 'roles'>): Role[] {
  return roles.filter((role) => account.roles.includes(role));
}
