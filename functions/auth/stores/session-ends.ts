import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { mapWithConcurrency } from '../../../lib/runtime/map-with-concurrency.ts';
import type { Ending } from '../rules/session-row.ts';
import { endSignIns } from './ended-sessions.ts';
import { type EndingTables, type ListedSession, markEnded, poolTokenOf, sessionsToEnd } from './sessions.ts';
import { revoke } from './user-pool.ts';

export type EndDependencies = {
  readonly tables: EndingTables;
  /** `SignInKey` */
  readonly secret: KeyRing;
  readonly cognito: CognitoIdentityProviderClient;
  readonly userPool: UserPool;
};

/**
 * The row first: a renewal that is under way then hands nothing out. Then Cognito's token. It can be repeated after a crash in between:
 * the row keeps the token.
 *
 * @returns false where there is no such session
 */
export async function endSession(
  deps: EndDependencies,
  userId: string,
  sessionId: string,
  by: Ending = 'asked',
): Promise<boolean> {
  const row = await markEnded(deps.tables, { userId, sessionId }, { now: new Date(), by });
  if (!row) return false;
  await endInPool(deps, row);
  return true;
}

async function endInPool({ secret, cognito, userPool }: EndDependencies, row: ListedSession): Promise<void> {
  const token = poolTokenOf(secret, row);
  if (token !== null) await revoke(cognito, userPool, token);
}

/** Calls of the pool: a developer's account may have hundreds of sessions that are over. */
const atOnce = 10;

/**
 * @param current the session that goes on
 * @param signOut ends all sessions in the user pool, also the current one: where others have filled the list
 */
export async function endOtherSessions(
  deps: EndDependencies,
  { userId, sessionId: current }: { readonly userId: string; readonly sessionId: string | null },
  by: Ending,
  signOut: () => Promise<void>,
): Promise<void> {
  const now = new Date();
  const rows = await sessionsToEnd(deps.tables.Sessions, userId, now);
  if (!rows) {
    await signOut();
    return endSignIns(deps.tables.EndedSessions, userId, now);
  }
  const others = rows.filter(({ sessionId }) => sessionId !== current);
  for (const { sessionId, endedAt } of others) {
    if (endedAt === undefined) await endSession(deps, userId, sessionId, by);
  }
  const marked = others.filter(({ endedAt }) => endedAt !== undefined);
  await mapWithConcurrency(marked, atOnce, (row) => endInPool(deps, row));
}
