import { permission } from '../../lib/contract/permissions.ts';

export const administerGroups = permission('groups:admin', { roles: ['admin'] });
