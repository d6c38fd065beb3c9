import { permission } from '../../lib/contract/permissions.ts';

/** Members of staff and their roles. */
export const administerRoles = permission('iam:admin', { roles: ['admin'] });
