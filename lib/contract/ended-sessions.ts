import { table } from './tables.ts';

/**
 * What has ended of a user's sessions. Every function that is called in somebody's
 * name reads it, so the table is declared here; the domain that ends sessions writes it (decision 59).
 */
export const EndedSessions = table<EndingsRow>()('EndedSessions', {
  partitionKey: 'userId',
  adjustable: ['notBefore', 'underWayUntil', 'sessions', 'expiresAt'],
  expires: true,
});

type EndingsRow = Endings & { readonly userId: string; readonly expiresAt: number };

/** A row of `EndedSessions`; most users have none. */
export type Endings = {
  /** Sign-ins until then have ended; in seconds since 1970. */
  readonly notBefore?: number;
  /** Sign-ins that were under way then get no tokens; in milliseconds since 1970. */
  readonly underWayUntil?: number;
  /** Sessions that have ended, each as `endedSession` writes it. */
  readonly sessions?: ReadonlySet<string>;
};

/** How long a session is named. Longer than an access token lives (lib/contract/tokens.ts), by a minute for clocks that differ. */
export const endingKeptSeconds = 16 * 60;

/** A session's row stays for 44 days at most (decision 56). So long the row of endings says which of them prove nothing at a sign-in. */
export const endingsKeptSeconds = 45 * 86_400;

/** So many sessions of a user are named; where more end, all sign-ins until then end. */
export const mostEndedSessions = 50;

/** @param until when no access token of it is valid any more, in seconds since 1970 */
export function endedSession(sessionId: string, until: number): string {
  return `${until}#${sessionId}`;
}

/** Whether no access token of the session is valid any more. */
export function isOver(session: string, now: number): boolean {
  return Number(session.slice(0, session.indexOf('#'))) <= now;
}

/** What a token says of its session: `origin_jti` and `auth_time`. */
export type TokenOrigin = { readonly sessionId: string | null; readonly signedInAt: number | null };

/** By so many seconds clocks may differ. */
const skewSeconds = 60;

/** What an honest function never writes keeps nobody out: with the rights of one that ends sessions somebody could lock out everybody. */
export function validEndings({ notBefore, underWayUntil, sessions, ...others }: Endings, now: Date): Endings {
  const latest = now.getTime() / 1000 + skewSeconds;
  const names = namesIn(sessions);
  return {
    ...others,
    ...(names && { sessions: names }),
    ...(isUntil(notBefore, latest) && { notBefore }),
    ...(isUntil(underWayUntil, latest * 1000) && { underWayUntil }),
  };
}

/** A whole number: of one with more digits than a Number has, the client gives a text, which no condition finds the same. */
function isUntil(time: number | undefined, latest: number): boolean {
  return time !== undefined && Number.isInteger(time) && time <= latest;
}

/** Longer than any that an honest function writes: the end of a session, and its id. */
const longestName = 100;

/** The same set where an honest function can have written it. */
function namesIn(sessions: unknown): ReadonlySet<string> | null {
  if (!(sessions instanceof Set)) return null;
  const isName = (name: unknown) => typeof name === 'string' && name.length <= longestName && name.includes('#');
  const names = [...sessions].filter(isName) as string[];
  if (names.length === sessions.size && names.length <= mostEndedSessions) return sessions;
  return names.length > 0 ? new Set(names) : null;
}

export function isEnded({ notBefore, sessions = new Set() }: Endings, { sessionId, signedInAt }: TokenOrigin): boolean {
  // A token that does not say when it began may have begun earlier.
  if (notBefore !== undefined && !(signedInAt !== null && signedInAt > notBefore)) return true;
  return sessionId !== null && [...sessions].some((session) => session.endsWith(`#${sessionId}`));
}
