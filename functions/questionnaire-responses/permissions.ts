import { permission } from '../../lib/contract/permissions.ts';

export const readOwnResponses = permission('questionnaires:read-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeOwnResponses = permission('questionnaires:write-own', { roles: [], everyoneIn: ['sleepcare'] });

export const readFlags = permission('questionnaires:flags', { roles: ['clinical-safety'] });
