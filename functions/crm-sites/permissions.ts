import { permission } from '../../lib/contract/permissions.ts';

export const readOwnSites = permission('sites:read-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeOwnSites = permission('sites:write-own', { roles: [], everyoneIn: ['sleepcare'] });
