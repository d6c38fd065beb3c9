import { admins, type Callers, own } from '../callers.ts';

export const callers: Callers = {
  'DELETE /users/me': own,
  'GET /users/{userId}/erasure': admins,
  'PUT /users/{userId}/legal-hold': admins,
  'DELETE /users/{userId}/legal-hold': admins,
};
