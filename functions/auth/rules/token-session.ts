/** What an access token says of its session. */
export type TokenSession = {
  readonly userId: string;
  /** Cognito's `origin_jti`: the same for every token that goes back to one sign-in. */
  readonly sessionId: string;
  /** ISO 8601. */
  readonly signedInAt: string;
  readonly username: string;
};

/**
 * Of a token that was verified already, or has just come from the user pool.
 *
 * @returns null where it names no session
 */
export function sessionIn(accessToken: string): TokenSession | null {
  const [, payload = ''] = accessToken.split('.');
  try {
    const {
      sub,
      origin_jti: sessionId,
      auth_time: time,
      username,
    } = JSON.parse(Buffer.from(payload, 'base64url').toString());
    if (typeof sub !== 'string' || typeof sessionId !== 'string' || !/^[\w-]{1,64}$/.test(sessionId)) return null;
    return {
      userId: sub,
      sessionId,
      signedInAt: new Date(Number(time) * 1000).toISOString(),
      username: String(username),
    };
  } catch {
    return null;
  }
}
