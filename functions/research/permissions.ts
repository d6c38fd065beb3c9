import { permission } from '../../lib/contract/permissions.ts';

export const administerStudies = permission('research:admin', { roles: ['researcher'] });

export const joinStudies = permission('studies:write-own', { roles: [], everyoneIn: ['sleepcare'] });
