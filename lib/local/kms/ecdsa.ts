import { createECDH, type KeyObject, randomBytes } from 'node:crypto';

/**
 * ECDSA on P-256 over a digest that was made elsewhere (SEC 1, section 4.1). Node's own `sign` always hashes once more,
 * and KMS must sign a digest as it is. OpenSSL multiplies the curve's base point, by means of ECDH.
 */

/** The order of P-256's base point: https://nvlpubs.nist.gov/nistpubs/SpecialPublications/NIST.SP.800-186.pdf, 3.2.1.3 */
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** @returns the signature as DER, as KMS gives it */
export function signDigest(digest: Buffer, key: KeyObject): Buffer {
  for (;;) {
    const nonce = integer(randomBytes(32));
    if (nonce === 0n || nonce >= order) continue;
    const r = abscissa(nonce);
    const s = modulo(inverse(nonce) * (integer(digest) + r * secretOf(key)));
    if (r !== 0n && s !== 0n) return written(r, s);
  }
}

/** The verifier has the private key here, so `u1·G + u2·Q` is one multiple of `G`. */
export function verifyDigest(digest: Buffer, signature: Buffer, key: KeyObject): boolean {
  const read = parsed(signature);
  if (!read || read.some((part) => part === 0n || part >= order)) return false;
  const [r, s] = read;
  const multiple = modulo(inverse(s) * (integer(digest) + r * secretOf(key)));
  return multiple !== 0n && abscissa(multiple) === r;
}

function secretOf(key: KeyObject): bigint {
  return integer(Buffer.from(String(key.export({ format: 'jwk' }).d), 'base64url'));
}

/** The x-coordinate of `multiple · G`, modulo the order. */
function abscissa(multiple: bigint): bigint {
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(bytes(multiple));
  // Uncompressed: 04, x, y.
  return modulo(integer(ecdh.getPublicKey().subarray(1, 33)));
}

/** By Euclid's extended algorithm. */
function inverse(value: bigint): bigint {
  let [a, b, x, y] = [modulo(value), order, 1n, 0n];
  while (a > 1n) [a, b, x, y] = [b % a, a, y - (b / a) * x, x];
  return modulo(x);
}

/** `SEQUENCE { r INTEGER, s INTEGER }` */
function written(r: bigint, s: bigint): Buffer {
  const body = Buffer.concat([r, s].map((part) => tagged(0x02, unsigned(part))));
  return tagged(0x30, body);
}

function parsed(der: Buffer): [bigint, bigint] | null {
  const [r, s] = [der.subarray(4, 4 + (der[3] ?? 0)), der.subarray(6 + (der[3] ?? 0))];
  if (r.length === 0 || s.length === 0) return null;
  const read: [bigint, bigint] = [integer(r), integer(s)];
  // DER has only one form for each value.
  return written(...read).equals(der) ? read : null;
}

function tagged(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
}

/** Without leading zeros, except the zero that marks a number as not negative. */
function unsigned(value: bigint): Buffer {
  const all = bytes(value);
  const from = all.findIndex((byte) => byte !== 0);
  const short = all.subarray(from < 0 ? all.length - 1 : from);
  return (short[0] ?? 0) < 0x80 ? short : Buffer.concat([Buffer.from([0]), short]);
}

function bytes(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

function integer(buffer: Buffer): bigint {
  return BigInt(`0x${buffer.toString('hex')}`);
}

function modulo(value: bigint): bigint {
  return ((value % order) + order) % order;
}
