import { createHash, randomBytes } from 'node:crypto';
import type { KeyRing } from '../../../lib/contract/key-ring.ts';
import { isKeyedHash, keyedHash } from '../../../lib/runtime/hmac-and-encrypt.ts';
import { partsOf, type TokenParts, tokenText } from '../rules/refresh-token.ts';

/** Refresh tokens, as they are made, hashed and known again. */

type Of = { readonly userId: string; readonly sessionId: string };

/** `SignInKey`, and the application whose session it is. */
export type Maker = { readonly secret: KeyRing; readonly application: string };

/** A refresh token that we made. Only its row says whether it still renews. */
export type Presented = Of & { readonly token: string; readonly hash: string };

export function newToken(maker: Maker, { userId, sessionId }: Of): Presented {
  const parts = { userId, sessionId, random: randomBytes(32).toString('base64url') };
  const token = tokenText({ ...parts, mark: keyedHash(maker.secret, markUse, marked(maker, parts)) });
  return { userId, sessionId, token, hash: hashOf(token) };
}

/** @returns null for a text that we did not make as a token of this application */
export function presentedIn(maker: Maker, token: string): Presented | null {
  const parts = partsOf(token);
  if (!parts) return null;
  const { userId, sessionId, mark } = parts;
  return isKeyedHash(maker.secret, markUse, marked(maker, parts), mark)
    ? { userId, sessionId, token, hash: hashOf(token) }
    : null;
}

const markUse = 'refresh token mark';

function marked({ application }: Maker, { userId, sessionId, random }: Omit<TokenParts, 'mark'>): string {
  return [application, userId, sessionId, random].join('#');
}

/** Without a key: nobody can guess 256 random bits. */
function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}
