import { admins, type Callers, everyone, type Holders, own, staff } from '../callers.ts';

export const callers: Callers = {
  'GET /users/me': everyone,
  'PATCH /users/me': own,
  'GET /users': staff,
};

export const holders: Holders = {
  'profile:read-own': everyone,
  'profile:write-own': own,
  'users:read': staff,
  'users:admin': admins,
};
