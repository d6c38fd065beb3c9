import { type Callers, type Holders, own, patients } from '../callers.ts';

export const callers: Callers = {
  'POST /users': 'public',
  'POST /users/verify': 'public',
  'POST /auth/password/forgot': 'public',
  'POST /auth/password/reset': 'public',
  'POST /auth/password/first': 'public',
  'POST /auth/secure-account': 'public',
  'PUT /users/me/password': own,
  'POST /auth/recovery-codes': own,
  'POST /users/me/email': patients,
  'POST /users/me/email/verify': patients,
  'POST /users/me/second-factor': patients,
  'POST /users/me/second-factor/verify': patients,
  'POST /users/me/second-factor/remove': patients,
};

export const holders: Holders = {
  'account:write-own': patients,
  'password:write-own': own,
  'recovery-codes:write-own': own,
};
