import { type Callers, type Holders, patients } from '../callers.ts';

export const callers: Callers = {
  'POST /users': 'public',
  'POST /users/verify': 'public',
  'POST /auth/password/forgot': 'public',
  'POST /auth/password/reset': 'public',
  'PUT /users/me/password': patients,
  'POST /users/me/email': patients,
  'POST /users/me/email/verify': patients,
  'POST /users/me/second-factor': patients,
  'POST /users/me/second-factor/verify': patients,
  'DELETE /users/me/second-factor': patients,
};

export const holders: Holders = { 'account:write-own': patients };
