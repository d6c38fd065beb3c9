import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

export const administerAgreements = permission('agreements:admin', { roles: ['admin'] });

/** For the texts that a user agrees to, too. */
export const readOwnConsents = permission('consents:read-own', owners);
