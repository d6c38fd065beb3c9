import { permission } from '../../lib/contract/permissions.ts';

export const readOwnSleep = permission('sleep:read-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeOwnSleep = permission('sleep:write-own', { roles: [], everyoneIn: ['sleepcare'] });

export const releaseSleepWindows = permission('sleep:release', { roles: ['physician'] });
