import { receiptType, type SignedType } from './signed-types.ts';

/** The signed statements about the keys that sign for people outside. Pure: the signatures are checked before. */

export const keyType = 'receipt-key+jwt';
export const revocationType = 'receipt-key-revocation+jwt';

/** A public key in the form of RFC 7517. */
export type PublicJwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
};

/** One of our keys, and what it signs. `revokedAt` (ISO 8601): from then on its receipts verify with a warning; null while the key is trusted. */
export type VouchedKey = PublicJwk & { readonly signs: SignedType; readonly revokedAt: string | null };

export function keyStatement(environment: string, { kid, kty, crv, x, y }: PublicJwk, signs: SignedType) {
  return { environment, kid, signs, jwk: { kty, crv, x, y } };
}

export function revocationStatement(environment: string, kid: string, revokedAt: string) {
  return { environment, kid, revokedAt };
}

type Said = Readonly<Record<string, unknown>> | null;

/** Whether the statement is about exactly this key. The first statements did not say what a key signs: receipts. */
export function isStatementOf(said: Said, environment: string, jwk: PublicJwk, signs: SignedType): boolean {
  const { x, y, crv } = Object(said?.jwk) as Partial<PublicJwk>;
  const isIt = x === jwk.x && y === jwk.y && crv === jwk.crv;
  return isIt && said?.environment === environment && said.kid === jwk.kid && (said.signs ?? receiptType) === signs;
}

/** @returns since when the key is revoked (ISO 8601); null if the statement is not about it */
export function revocationIn(said: Said, environment: string, kid: string): string | null {
  const isIt = said?.environment === environment && said.kid === kid;
  const at = Date.parse(String(said?.revokedAt));
  return isIt && !Number.isNaN(at) ? new Date(at).toISOString() : null;
}
