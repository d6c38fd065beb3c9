import { admins, type Callers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'GET /admin/audit-events': admins,
};

export const holders: Holders = {
  'audit:read': admins,
};
