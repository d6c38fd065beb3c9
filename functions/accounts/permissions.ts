import { permission } from '../../lib/contract/permissions.ts';

/** Password, address and second factor. */
export const writeOwnAccount = permission('account:write-own', { roles: [], everyoneIn: ['sleepcare'] });
