import { permission } from '../../lib/contract/permissions.ts';

export const readOwnAccessLog = permission('access-log:read-own', { roles: [], everyoneIn: ['sleepcare'] });
