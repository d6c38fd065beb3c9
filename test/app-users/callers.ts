import { admins, agents, type Callers, type Holders } from '../callers.ts';

export const callers: Callers = {
  'GET /users': agents,
  'GET /users/{userId}': agents,
  'GET /users/{userId}/sign-ins': admins,
  'POST /users/{userId}/disable': admins,
  'POST /users/{userId}/enable': admins,
  'POST /users/{userId}/sign-out': admins,
  'POST /users/{userId}/resend-verification': admins,
};

export const holders: Holders = {};
