import type { Chain } from './renewal.ts';

/**
 * Why a session has ended: somebody asked for it, its time was over, a refresh token was used whose successor had been used, or the
 * password was replaced.
 */
export type Ending = 'asked' | 'expired' | 'reused' | 'password';

export type SessionRow = Chain & {
  userId: string;
  sessionId: string;
  /** ISO 8601; real time, as are all here. */
  createdAt: string;
  renewedAt: string;
  appVersion: string | null;
  device: string | null;
  /** Cognito's refresh token, which no app gets. It stays the same for the whole session. */
  sealedToken: string;
  /** Absent while it lives. */
  endedAt?: string;
  endedBy?: Ending;
  /** When the mail about a reused token was put into the queue. */
  noticedAt?: string;
  /** A random id of the sign-in that presented its token: it proves nothing to another one. */
  presentedBy?: string;
  /** Seconds since 1970. */
  expiresAt: number;
};
