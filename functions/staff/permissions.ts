import { permission } from '../../lib/contract/permissions.ts';

/** Who works here, and what each may do. */
export const administerRoles = permission('iam:admin', { roles: ['admin'] });
