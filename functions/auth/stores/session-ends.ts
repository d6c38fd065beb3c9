import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { liveSessions, markEnded, tokenOf } from './sessions.ts';
import { revoke } from './user-pool.ts';

export type EndPlace = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly table: string;
  /** `SignInKey` */
  readonly secret: string;
  readonly cognito: CognitoIdentityProviderClient;
  readonly userPool: UserPool;
};

/**
 * The row first: a renewal that is under way then hands nothing out. The token that it has is revoked at Cognito itself, which
 * anybody can ask for a renewal past our API. Again after a crash in between: the row keeps the token.
 *
 * @returns false where there is no such session
 */
export async function endSession(place: EndPlace, userId: string, sessionId: string): Promise<boolean> {
  const row = await markEnded(place.dynamo, place.table, { userId, sessionId }, new Date());
  if (!row) return false;
  await revoke(place.cognito, place.userPool, tokenOf(place.secret, row));
  return true;
}

/** @param current the session that goes on; null ends all */
export async function endOtherSessions(place: EndPlace, userId: string, current: string | null): Promise<void> {
  for (const { sessionId } of await liveSessions(place.dynamo, place.table, userId)) {
    if (sessionId !== current) await endSession(place, userId, sessionId);
  }
}
