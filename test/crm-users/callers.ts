import { admins, type Callers, type Holders } from '../callers.ts';

const finders = { medinfo: ['physician', 'agent', 'admin', 'clinical-safety'] };
const staff = { medinfo: ['physician', 'agent', 'admin', 'researcher', 'clinical-safety'] };

export const callers: Callers = {
  'GET /crm/users': finders,
  'GET /crm/users/{userId}': staff,
  'PATCH /crm/users/{userId}': staff,
};

export const holders: Holders = { 'crm:admin': admins, 'crm-users:read': finders, 'crm-users:keep': staff };
