import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { identityOf, nameOf, type SaidDevice } from '../rules/device.ts';
import type { Tokens } from '../rules/sign-in.ts';
import { sessionIn } from '../rules/token-session.ts';
import { isNewDevice, knowDevice } from '../stores/known-devices.ts';
import { keepSession } from '../stores/sessions.ts';
import { revoke } from '../stores/user-pool.ts';

export type SessionPlace = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: { readonly Sessions: string };
  readonly secret: string;
  readonly cognito: CognitoIdentityProviderClient;
  readonly userPool: UserPool;
};

type HandOut = {
  readonly said: SaidDevice;
  /** The refresh token that was renewed; null at a sign-in. */
  readonly presented: string | null;
  /** What has to be done before anybody has the tokens. */
  readonly before?: ((userId: string) => Promise<void>) | null;
};

/**
 * Every token that is handed out is in the row of its session first, so that the session can be ended. Where it cannot be
 * written, or the session was ended meanwhile, the token is revoked: who gets no token has no session, either.
 *
 * @returns null where the session was ended
 */
export async function handOut(
  place: SessionPlace,
  tokens: Tokens,
  { said, presented, before = null }: HandOut,
): Promise<Tokens | null> {
  const { dynamo, tables, secret, cognito, userPool } = place;
  const session = sessionIn(tokens.accessToken);
  if (!session) throw new Error('the user pool answered a token without a session');
  const { refreshToken } = tokens;
  const renewal = {
    secret,
    refreshToken,
    presented,
    now: new Date(),
    appVersion: said.appVersion,
    device: nameOf(said),
  };
  try {
    await before?.(session.userId);
    const { isKept, toRevoke } = await keepSession(dynamo, tables.Sessions, session, renewal);
    for (const token of toRevoke) await revoke(cognito, userPool, token);
    if (isKept) return tokens;
  } catch (error) {
    // The same outage may be Cognito's; then nobody has the token, and it ends by itself.
    await revoke(cognito, userPool, refreshToken).catch(() => undefined);
    throw error;
  }
  await revoke(cognito, userPool, refreshToken);
  return null;
}

type DevicePlace = SessionPlace & { readonly tables: { readonly KnownDevices: string } };

/** @param tell is called before the device is known: after a crash in between it is called once more, and never not at all */
export async function noteDevice(
  { dynamo, tables, secret }: DevicePlace,
  userId: string,
  said: SaidDevice,
  tell: (device: string) => Promise<void>,
): Promise<void> {
  const device = { secret, userId, identity: identityOf(said), now: new Date() };
  if (await isNewDevice(dynamo, tables.KnownDevices, device)) await tell(nameOf(said) ?? '–');
  await knowDevice(dynamo, tables.KnownDevices, device);
}
