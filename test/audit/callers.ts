import { admins, type Callers } from '../callers.ts';

export const callers: Callers = {
  'GET /admin/audit-events': admins,
};
