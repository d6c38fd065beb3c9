import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { type Ending, type EndingTables, markEnded, poolTokenOf, sessionsToEnd } from './sessions.ts';
import { revoke } from './user-pool.ts';

export type EndPlace = {
  readonly dynamo: DynamoDBDocumentClient;
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
  place: EndPlace,
  userId: string,
  sessionId: string,
  by: Ending = 'asked',
): Promise<boolean> {
  const row = await markEnded(place.dynamo, place.tables, { userId, sessionId }, { now: new Date(), by });
  if (!row) return false;
  const token = poolTokenOf(place.secret, row);
  if (token !== null) await revoke(place.cognito, place.userPool, token);
  return true;
}

/** @param current the session that goes on; null ends all */
export async function endOtherSessions(
  place: EndPlace,
  userId: string,
  current: string | null,
  by: Ending,
): Promise<void> {
  for (const { sessionId } of await sessionsToEnd(place.dynamo, place.tables.Sessions, userId, new Date())) {
    if (sessionId !== current) await endSession(place, userId, sessionId, by);
  }
}
