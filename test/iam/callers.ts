import { type Callers, type Holders, own } from '../callers.ts';

export const callers: Callers = {
  'GET /iam/roles': own,
  'POST /iam/check': own,
  'GET /iam/users/me/permissions': own,
};

export const holders: Holders = {
  'permissions:read-own': own,
};
