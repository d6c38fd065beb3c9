import { type Callers, own } from '../callers.ts';

export const callers: Callers = {
  'GET /iam/roles': own,
  'GET /iam/users/me/permissions': own,
};
