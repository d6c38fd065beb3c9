import { standingOf } from '../rules/renewal.ts';
import { type Maker, presentedIn } from '../stores/refresh-tokens.ts';
import { type EndDependencies, endSession } from '../stores/session-ends.ts';
import { poolTokenOf, readSession } from '../stores/sessions.ts';
import { revoke } from '../stores/user-pool.ts';

/**
 * Ends the session of a refresh token, also by the one that was replaced last: an honest app has no older one, and whoever has `SignInKey`
 * could make one. Cognito's token comes first, so that nothing renews even while
 * no row can be written; then the session stays in the list until the call is repeated.
 */
export async function signOut(deps: EndDependencies, maker: Maker, token: string): Promise<void> {
  const presented = presentedIn(maker, token);
  const row = presented && (await readSession(deps.tables.Sessions, presented));
  if (!row || standingOf(row, presented.hash, new Date()).is === 'reused') return;
  const poolToken = poolTokenOf(deps.secret, row);
  if (poolToken !== null) await revoke(deps.cognito, deps.userPool, poolToken);
  await endSession(deps, row.userId, row.sessionId);
}
