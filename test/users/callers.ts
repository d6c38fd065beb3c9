import { admins, agents, type Callers, everyone, type Holders, own } from '../callers.ts';

export const callers: Callers = {
  'GET /users/me': everyone,
  'PATCH /users/me': own,
};

export const holders: Holders = {
  'profile:read-own': everyone,
  'profile:write-own': own,
  'users:read': agents,
  'users:admin': admins,
};
