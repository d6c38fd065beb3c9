import { owners, permission } from '../../lib/contract/permissions.ts';

export const readOwnConsents = permission('consents:read-own', owners);

export const writeOwnConsents = permission('consents:write-own', owners);

/** Of anybody: for other services, before they process data. */
export const readConsents = permission('consents:read', { roles: ['integration'], metered: true });
