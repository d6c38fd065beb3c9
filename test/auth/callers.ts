import type { Callers } from '../callers.ts';

export const callers: Callers = {
  'POST /auth/tokens': 'public',
  'POST /auth/tokens/revoke': 'public',
  // Public at the gateway; its handler lets physicians in.
  'GET /auth/tokens/md/access': { medinfo: ['physician'] },
};
