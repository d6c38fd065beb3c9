import { type Callers, type Holders, own } from '../callers.ts';

export const callers: Callers = {
  'POST /users/me/exports': own,
  'GET /users/me/exports': own,
  'GET /users/me/exports/{exportId}': own,
};

export const holders: Holders = {
  'exports:read-own': own,
  'exports:write-own': own,
};
