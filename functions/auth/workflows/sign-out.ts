import { sessionIn } from '../rules/token-session.ts';
import { type EndPlace, endSession } from '../stores/session-ends.ts';
import { renew, revoke } from '../stores/user-pool.ts';

/**
 * Ends the session of a refresh token. Only Cognito can read the token, so it is renewed once: the new access token names the session,
 * and nobody gets it. A token that cannot be renewed belongs to no session that goes on.
 *
 * The tokens come first, so that they end also while no row can be written; then the session stays in the list. What a renewal at the
 * same moment wrote to the row, `endSession` revokes; a later one finds the mark.
 */
export async function signOut(place: EndPlace, token: string): Promise<void> {
  const { cognito, userPool } = place;
  const renewed = await renew(cognito, userPool, token);
  const tokens = renewed.outcome === 'tokens' ? renewed.tokens : null;
  for (const each of new Set([token, tokens?.refreshToken ?? token])) await revoke(cognito, userPool, each);
  const session = tokens && sessionIn(tokens.accessToken);
  if (session) await endSession(place, session.userId, session.sessionId);
}
