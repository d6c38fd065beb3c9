import { permission } from '../../lib/contract/permissions.ts';

export const issueCodes = permission('access-codes:issue', { roles: ['admin'] });

export const writeOwnCodes = permission('access-codes:write-own', { roles: [], everyoneIn: ['sleepcare'] });

export const readOwnEntitlements = permission('entitlements:read-own', { roles: [], everyoneIn: ['sleepcare'] });
