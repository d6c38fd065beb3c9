import { permission } from '../../lib/contract/permissions.ts';

export const administerAppVersions = permission('app-version:admin', { roles: ['admin'] });
