import { Secret, TOTP } from 'otpauth';

/** Time-based one-time passwords as Cognito takes them: RFC 6238 with SHA-1, six digits, 30 seconds. */

const stepMs = 30_000;

/** A new secret in base32: 32 characters, 160 bits. */
export function newSecret(): string {
  return new Secret({ size: 20 }).base32;
}

export function stepAt(now: number): number {
  return Math.floor(now / stepMs);
}

export function codeAt(secret: string, step: number): string {
  return new TOTP({ secret }).generate({ timestamp: step * stepMs });
}

/**
 * The step that has this code: the current one, or the one before or after it. Null if there is none.
 *
 * @param now milliseconds since 1970
 */
export function stepOf(secret: string, code: string, now: number): number | null {
  const delta = new TOTP({ secret }).validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : stepAt(now) + delta;
}
