import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { liveSessions, markEnded, readSession, tokensOf } from './sessions.ts';
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
 * The row first: a renewal that is under way then hands nothing out. The tokens that it has are revoked at Cognito itself, which
 * anybody can ask for a renewal past our API. It can be repeated after a crash in between: the row keeps the tokens.
 *
 * @returns false where there is no such session
 */
export async function endSession(place: EndPlace, userId: string, sessionId: string): Promise<boolean> {
  const known = await markEnded(place.dynamo, place.table, { userId, sessionId }, new Date());
  if (!known) return false;
  // Once it is ended no token joins it: what came between the look and the mark is in the row now.
  const row = (await readSession(place.dynamo, place.table, { userId, sessionId })) ?? known;
  for (const token of tokensOf(place.secret, row)) await revoke(place.cognito, place.userPool, token);
  return true;
}

/** @param current the session that goes on; null ends all */
export async function endOtherSessions(place: EndPlace, userId: string, current: string | null): Promise<void> {
  for (const { sessionId } of await liveSessions(place.dynamo, place.table, userId)) {
    if (sessionId !== current) await endSession(place, userId, sessionId);
  }
}
