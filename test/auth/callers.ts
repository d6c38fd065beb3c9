import { type Callers, type Holders, own } from '../callers.ts';

export const callers: Callers = {
  'POST /auth/tokens': 'public',
  'POST /auth/tokens/revoke': 'public',
  // Public at the gateway; its handler lets physicians in.
  'GET /auth/tokens/md/access': { medinfo: ['physician'] },
  'POST /auth/recovery-codes/use': 'public',
  'GET /auth/sessions': own,
  'GET /users/me/sign-ins': own,
  'DELETE /auth/sessions/{sessionId}': own,
  'DELETE /auth/sessions': own,
};

export const holders: Holders = { 'sessions:read-own': own, 'sessions:end-own': own };
