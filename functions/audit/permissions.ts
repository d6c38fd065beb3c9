import { permission } from '../../lib/contract/permissions.ts';

export const readAudit = permission('audit:read', { roles: ['admin'] });
