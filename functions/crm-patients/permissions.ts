import { permission } from '../../lib/contract/permissions.ts';

export const readPatients = permission('patients:read', { roles: ['physician'] });
