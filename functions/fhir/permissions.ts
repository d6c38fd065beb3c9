import { permission } from '../../lib/contract/permissions.ts';

export const readOwnFhir = permission('fhir:read-own', { roles: [], everyoneIn: ['sleepcare'] });
