import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

/** Staff, too: nobody else may know somebody's password. */
export const writeOwnPassword = permission('password:write-own', owners);

/** Address and second factor. */
export const writeOwnAccount = permission('account:write-own', { roles: [], everyoneIn: ['sleepcare'] });

/** Codes for users who have lost the authenticator app. */
export const writeOwnRecoveryCodes = permission('recovery-codes:write-own', owners);
