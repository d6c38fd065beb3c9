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
  /** What was signed: header and payload as they came. */
  readonly signingInput: string;
  readonly signature: Buffer;
};

/** Longer than any receipt by far; what is longer is not even decoded. */
export const maxJwsLength = 16_384;

const compactForm = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{86})$/;

/**
 * Takes a compact JWS apart, and verifies nothing. What its header says of keys (`jwk`, `jku`, `x5c`) is not looked at:
 * only `kid` names one.
 *
 * @param maxLength more for what we signed ourselves about many chains
 * @returns null for anything that is no JWS by ES256 over a JSON object; `crit` is none, as we know no extension
 */
export function readCompact(text: string, maxLength = maxJwsLength): CompactJws | null {
  if (text.length > maxLength) return null;
  const [, header = '', body = '', signature = ''] = compactForm.exec(text) ?? [];
  const { alg, kid, typ, crit } = objectIn(header) ?? {};
  const payload = objectIn(body);
  // The last of its characters has bits that no byte takes: only one spelling of them is a signature.
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

/** The order of P-256 (SEC 2, section 2.4.2). With s, n − s is a signature, too: the lower one is taken, and no other. */
const order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

function higherHalf(signature: Buffer): bigint | null {
  const s = BigInt(`0x${signature.subarray(32).toString('hex')}`);
  return s > order / 2n ? s : null;
}

/** @param signature r and s behind each other */
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

/** What is to be signed: header and payload in base64url, with a dot between them. */
export function signingInput(header: Readonly<Record<string, unknown>>, payload: object): string {
  return `${encoded(header)}.${encoded(payload)}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Written in the one way in which we sign: of two members of one name another library may take the other one. */
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
