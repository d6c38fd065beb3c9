import type { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { type Endings, isEnded } from '../../../lib/contract/ended-sessions.ts';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import type { Application } from '../../../lib/contract/register.ts';
import type { UserPool } from '../../../lib/runtime/environment.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { opensPool } from '../../../lib/runtime/token-scopes.ts';
import { deployments } from '../../product.ts';
import { nameOf, type SaidDevice } from '../rules/device.ts';
import type { Tokens } from '../rules/sign-in.ts';
import { sessionIn, type TokenSession } from '../rules/token-session.ts';
import { readEndings } from '../stores/ended-sessions.ts';
import { newToken } from '../stores/refresh-tokens.ts';
import { beginSession, type EndingTables, markEnded } from '../stores/sessions.ts';
import { revoke } from '../stores/user-pool.ts';
import type { Sessions } from '../tables.ts';

export type SessionDependencies = {
  readonly tables: EndingTables & { readonly Sessions: Sessions<'updateRow'> };
  readonly secret: KeyRing;
  readonly application: Application;
  readonly cognito: CognitoIdentityProviderClient;
  readonly userPool: UserPool;
};

type HandOut = {
  readonly said: SaidDevice;
  /** When the request began, before the user pool was asked. */
  readonly begun: Date;
  /** Asks the pool once more, where the password may have been changed since. */
  readonly isStillRight: () => Promise<boolean>;
  /** What has to be done before anybody has the tokens. */
  readonly before: (userId: string) => Promise<void>;
  /** What has to be done once the session is in its row. It must be repeatable: where it fails, nobody gets the tokens. */
  readonly then: () => Promise<void>;
};

/**
 * A sign-in: Cognito's refresh token stays in the session's row, and the app gets one of ours. Where the row cannot be written, or the
 * session was ended meanwhile, Cognito's token is revoked: who gets no token has no session, either. The same happens where all sessions
 * ended, or the password was changed, while the sign-in was under way.
 *
 * @returns null where the session was ended
 */
export async function registerSessionTokens(
  deps: SessionDependencies,
  { refreshToken: poolToken, ...access }: Tokens,
  { said, begun, isStillRight, before, then }: HandOut,
): Promise<Tokens | null> {
  const { tables, secret, application, cognito, userPool } = deps;
  const session = sessionIn(access.accessToken);
  if (!session) throw new Error('the user pool answered a token without a session');
  const { token, hash: tokenHash } = newToken({ secret, application }, session);
  const beginning = {
    secret,
    poolToken,
    tokenHash,
    lifetime: deployments[application].sessions,
    now: new Date(),
    appVersion: said.appVersion ?? null,
    device: nameOf(said),
  };
  try {
    // Without the pool's trigger a token would open Cognito's own API. Nobody gets one.
    if (opensPool(access.accessToken)) throw new Failure(Unavailable);
    await before(session.userId);
    const isBegun = await beginSession(tables.Sessions, session, beginning);
    // After its row: whatever ends all sessions, or changes the password, either sees the row or is seen here.
    const endings = await readEndings(tables.EndedSessions, session.userId);
    if (isBegun && !isTooLate(endings, session, begun) && (!isClose(endings, begun) || (await isStillRight()))) {
      await then();
      return { ...access, refreshToken: token };
    }
    await markEnded(tables, session, { now: new Date(), by: 'asked' });
  } catch (error) {
    // The row may be there already. The same outage may stop both; then nobody has the tokens, and they end by themselves.
    await markEnded(tables, session, { now: new Date(), by: 'asked' }).catch(() => undefined);
    await revoke(cognito, userPool, poolToken).catch(() => undefined);
    throw error;
  }
  await revoke(cognito, userPool, poolToken);
  return null;
}

function isTooLate(endings: Endings, { sessionId, signedInAt }: TokenSession, begun: Date): boolean {
  const origin = { sessionId, signedInAt: Date.parse(signedInAt) / 1000 };
  return isEnded(endings, origin) || begun.getTime() <= (endings.underWayUntil ?? 0);
}

/** By so much the clocks of two functions may differ. */
const skewMs = 10_000;

function isClose({ underWayUntil }: Endings, begun: Date): boolean {
  return underWayUntil !== undefined && begun.getTime() <= underWayUntil + skewMs;
}
