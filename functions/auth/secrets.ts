import { secret } from '../../lib/contract/secrets.ts';

/** Without it nobody can say whose tries a row counts, nor read the refresh token of a session, whatever tables they read. */
export const SignInKey = secret('SignInKey', {
  does: 'seals refresh tokens and hashes whose sign-ins are counted',
  // A session lasts 30 days at most. For two weeks more its token can be presented at a sign-in.
  lifeDays: 44,
});
