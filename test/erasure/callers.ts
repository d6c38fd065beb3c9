import { admins, type Callers, everyone, own } from '../callers.ts';

export const callers: Callers = {
  'DELETE /users/me': own,
  'GET /users/me/erasure': everyone,
  'POST /users/me/restore': own,
  'GET /users/{userId}/erasure': admins,
  'POST /users/{userId}/erasure': admins,
  'PUT /users/{userId}/legal-hold': admins,
  'DELETE /users/{userId}/legal-hold': admins,
};
