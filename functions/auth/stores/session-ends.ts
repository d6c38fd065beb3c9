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
 * @param signOut ends all sessions in the user pool, also the current one: where others have filled the list, or made a row of it one whose
 * token nobody can open
 */
export async function endOtherSessions(
  deps: EndDependencies,
  { userId, sessionId: current }: { readonly userId: string; readonly sessionId: string | null },
  by: Ending,
  signOut: () => Promise<void>,
): Promise<void> {
  const { tables, secret, cognito, userPool } = deps;
  const now = new Date();
  const rows = await sessionsToEnd(tables.Sessions, userId, now);
  const others = (rows ?? []).filter(({ sessionId }) => sessionId !== current);
  for (const { sessionId, endedAt } of others) {
    if (endedAt === undefined) await markEnded(tables, { userId, sessionId }, { now: new Date(), by });
  }
  const tokens = others.map((row) => openedToken(secret, row));
  const opened = tokens.filter((token) => token !== null);
  await mapWithConcurrency(opened, atOnce, (token) => revoke(cognito, userPool, token));
  if (rows && opened.length === tokens.length) return;
  await signOut();
  await endSignIns(tables.EndedSessions, userId, now);
}

/** Null also for one that was sealed for another session. */
function openedToken(secret: KeyRing, row: ListedSession): string | null {
  try {
    return poolTokenOf(secret, row);
  } catch {
    return null;
  }
}
