/**
 * The refresh token that an app gets is ours: its session, 256 random bits, and a mark by which a token that we made is known when its
 * hash is no longer stored. Pure.
 */

export type TokenParts = {
  readonly userId: string;
  readonly sessionId: string;
  /** Base64url. */
  readonly random: string;
  /** A keyed hash, with the id of its key. */
  readonly mark: string;
};

/** Names the kind and the version, also for scanners of leaked secrets. */
const prefix = 'mhrt1';

const form = new RegExp(`^${prefix}\\.([\\w-]{1,64})\\.([\\w-]{1,64})\\.([\\w-]{43})\\.([0-9a-f]{8}\\.[\\w-]{43})$`);

export function tokenText({ userId, sessionId, random, mark }: TokenParts): string {
  return [prefix, userId, sessionId, random, mark].join('.');
}

/** @returns null for a text of another form */
export function partsOf(text: string): TokenParts | null {
  const [, userId, sessionId, random, mark] = form.exec(text) ?? [];
  return userId && sessionId && random && mark ? { userId, sessionId, random, mark } : null;
}
