import { permission } from '../../lib/contract/permissions.ts';

export const administerAgreements = permission('agreements:admin', { roles: ['admin'] });
