import { permission } from '../../lib/contract/permissions.ts';

export const useTimeMachine = permission('time-machine:use', { roles: ['developer'], metered: true });
