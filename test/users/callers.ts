import { type Callers, everyone, own, staff } from '../callers.ts';

export const callers: Callers = {
  'GET /users/me': everyone,
  'PATCH /users/me': own,
  'GET /users': staff,
};
