import { createHash, createPublicKey, verify } from 'node:crypto';

/** JSON Web Signatures in the compact form (RFC 7515), ES256 (RFC 7518 section 3.4) and nothing else. */

/** A public key as RFC 7517 has it; `kid` is the thumbprint (RFC 7638). */
export type PublicJwk = {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: 'ES256';
  readonly use: 'sig';
};

/** RFC 7638: the required members in lexicographic order, without white space. */
export function thumbprintOf({ crv, x, y }: Pick<PublicJwk, 'crv' | 'x' | 'y'>): string {
  return createHash('sha256')
    .update(JSON.stringify({ crv, kty: 'EC', x, y }))
    .digest('base64url');
}

export type CompactJws = {
  readonly kid: string;
  readonly typ: string | null;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The signed text: header and payload as they were sent. */
  readonly signingInput: string;
  readonly signature: Buffer;
};

/** Much longer than any receipt; a longer text is not even decoded. */
const maxJwsLength = 16_384;

const compactForm = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

/**
 * Parses a compact JWS without verifying it. Keys in its header (`jwk`, `jku`, `x5c`) are ignored: only `kid` names a key.
 *
 * @param maxLength larger for our own signatures about many chains
 * @returns null for anything that is not an ES256 JWS over a JSON object. A JWS with `crit` gives null, too, as we know no
 * extension
 */
export function readCompact(text: string, maxLength = maxJwsLength): CompactJws | null {
  if (text.length > maxLength) return null;
  const [, header = '', body = '', signature = ''] = compactForm.exec(text) ?? [];
  const { alg, kid, typ, crit } = objectIn(header) ?? {};
  const payload = objectIn(body);
  // The last character has bits that belong to no byte: only one spelling is accepted as a signature.
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.toString('base64url') !== signature) return null;
  if (alg !== 'ES256' || typeof kid !== 'string' || crit !== undefined || !payload) return null;
  return {
    kid,
    typ: typeof typ === 'string' ? typ : null,
    payload,
    signingInput: `${header}.${body}`,
    signature: bytes,
  };
}

/** The order of P-256 (SEC 2, section 2.4.2). If s is valid, n − s is valid, too: only the lower one is accepted. */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

function higherHalf(signature: Buffer): bigint | null {
  const s = BigInt(`0x${signature.subarray(32).toString('hex')}`);
  return s > order / 2n ? s : null;
}

/** @param signature r and s concatenated */
export function lowered(signature: Buffer): Buffer {
  const s = higherHalf(signature);
  if (s === null) return signature;
  const lower = (order - s).toString(16).padStart(64, '0');
  return Buffer.concat([signature.subarray(0, 32), Buffer.from(lower, 'hex')]);
}

export function isSignedBy({ signingInput, signature }: CompactJws, jwk: PublicJwk): boolean {
  if (higherHalf(signature) !== null) return false;
  const { kty, crv, x, y } = jwk;
  const key = createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
  return verify('sha256', Buffer.from(signingInput), { key, dsaEncoding: 'ieee-p1363' }, signature);
}

/** The text to be signed: header and payload in base64url, with a dot between them. */
export function signingInput(header: Readonly<Record<string, unknown>>, payload: object): string {
  return `${encoded(header)}.${encoded(payload)}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Accepts only our own spelling: where a name occurs twice, another library may read the other member. */
function objectIn(part: string): Readonly<Record<string, unknown>> | null {
  try {
    const text = Buffer.from(part, 'base64url').toString('utf8');
    const value: unknown = JSON.parse(text);
    if (JSON.stringify(value) !== text) return null;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
