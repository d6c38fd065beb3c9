/** What is signed of the keys that sign receipts. Pure: signatures are checked before. */

export const keyType = 'receipt-key+jwt';
export const revocationType = 'receipt-key-revocation+jwt';

/** A public key as RFC 7517 has it. */
export type PublicJwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
};

/** A key of ours. `revokedAt`: from then on what it signed is to be looked at (ISO 8601); null while it is trusted. */
export type VouchedKey = PublicJwk & { readonly revokedAt: string | null };

export function keyStatement(environment: string, { kid, kty, crv, x, y }: PublicJwk) {
  return { environment, kid, jwk: { kty, crv, x, y } };
}

export function revocationStatement(environment: string, kid: string, revokedAt: string) {
  return { environment, kid, revokedAt };
}

type Said = Readonly<Record<string, unknown>> | null;

/** Whether the statement is of exactly this key. */
export function isStatementOf(said: Said, environment: string, jwk: PublicJwk): boolean {
  const { x, y, crv } = Object(said?.jwk) as Partial<PublicJwk>;
  const isIt = x === jwk.x && y === jwk.y && crv === jwk.crv;
  return isIt && said?.environment === environment && said.kid === jwk.kid;
}

/** @returns since when the key is revoked (ISO 8601); null where the statement says nothing of it */
export function revocationIn(said: Said, environment: string, kid: string): string | null {
  const isIt = said?.environment === environment && said.kid === kid;
  const at = Date.parse(String(said?.revokedAt));
  return isIt && !Number.isNaN(at) ? new Date(at).toISOString() : null;
}
