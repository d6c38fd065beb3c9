import { randomBytes } from 'node:crypto';
import { invalid, notAuthorized } from './failures.ts';

/** A sign-in that waits for its second factor. It is kept in memory, and ends with a restart or after three minutes. */

type Pending = {
  readonly poolId: string;
  readonly clientId: string;
  readonly sub: string;
  /** `SOFTWARE_TOKEN_MFA`, `MFA_SETUP` */
  readonly challenge: string;
  readonly expiresAt: number;
  /** The secret of an authenticator app that is being set up, and whether a code has proved it. */
  readonly secret?: string;
  readonly isProved?: boolean;
};

export type Sessions = {
  readonly begin: (pending: Pending) => string;
  /** @throws NotAuthorizedException */
  readonly read: (session: string) => Pending;
  readonly end: (session: string) => void;
};

export function openSessions(now: () => number): Sessions {
  const waiting = new Map<string, Pending>();
  return {
    begin: (pending) => {
      for (const [session, { expiresAt }] of waiting) if (expiresAt <= now() - 60_000) waiting.delete(session);
      const session = randomBytes(48).toString('base64url');
      waiting.set(session, pending);
      return session;
    },
    read: (session) => {
      if (session.length < 20) {
        throw invalid(
          "1 validation error detected: Value at 'session' failed to satisfy constraint: Member must have length greater than or equal to 20",
        );
      }
      const pending = waiting.get(session);
      if (!pending) throw notAuthorized('Invalid session for the user.');
      if (pending.expiresAt <= now()) throw notAuthorized('Invalid session for the user, session is expired.');
      return pending;
    },
    end: (session) => void waiting.delete(session),
  };
}
