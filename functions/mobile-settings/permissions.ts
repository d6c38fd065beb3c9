import { permission } from '../../lib/contract/permissions.ts';

export const administerSettings = permission('settings:admin', { roles: ['admin'] });
