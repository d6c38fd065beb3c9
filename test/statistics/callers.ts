import { admins, type Callers } from '../callers.ts';

export const callers: Callers = {
  'GET /agreements/{agreementId}/statistics': admins,
};
