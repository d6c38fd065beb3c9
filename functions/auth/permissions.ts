import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

export const readOwnSessions = permission('sessions:read-own', owners);

/** Codes for users who have lost the authenticator app. */
export const writeOwnRecoveryCodes = permission('recovery-codes:write-own', owners);

export const endOwnSessions = permission('sessions:end-own', owners);
