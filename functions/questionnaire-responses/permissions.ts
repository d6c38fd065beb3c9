import { permission } from '../../lib/contract/permissions.ts';

export const readOwnResponses = permission('questionnaires:read-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeOwnResponses = permission('questionnaires:write-own', { roles: [], everyoneIn: ['sleepcare'] });

/** Of a patient of the caller's sites who consents to `data-sharing`. */
export const endFlags = permission('questionnaires:end-flags', { roles: ['physician'] });

export const readFlags = permission('questionnaires:flags', { roles: ['clinical-safety'] });

/** What a physician may read of the own patients: answers here, the diary and the summary in domains above this one. */
export const readPatients = permission('patients:read', { roles: ['physician'] });
