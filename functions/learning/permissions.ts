import { permission } from '../../lib/contract/permissions.ts';

export const readOwnLearning = permission('learning:read-own', { roles: [], everyoneIn: ['sleepcare'] });

export const writeOwnLearning = permission('learning:write-own', { roles: [], everyoneIn: ['sleepcare'] });
