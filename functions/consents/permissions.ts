import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

export const writeOwnConsents = permission('consents:write-own', owners);

/** For any user's consents: other services ask before they process data. */
export const readConsents = permission('consents:read', { roles: ['integration'], metered: true });
