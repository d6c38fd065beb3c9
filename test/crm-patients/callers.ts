import type { Callers, Roles } from '../callers.ts';

const physicians: Roles = { medinfo: ['physician'] };

export const callers: Callers = {
  'GET /crm/patients': physicians,
  'GET /crm/patients/{userId}': physicians,
  'GET /crm/patients/{userId}/timeline': physicians,
};
