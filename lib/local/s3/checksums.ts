import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { invalidRequest, notHere, S3Failure } from './failures.ts';

/**
 * Checksums that a caller states are verified and kept: https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity-upload.html
 * If none is stated, S3 computes a CRC64NVME; this emulator does not.
 */

type Headers = Readonly<Record<string, string>>;

const algorithms: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  crc32: (body) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(body));
    return bytes;
  },
  sha1: (body) => createHash('sha1').update(body).digest(),
  sha256: (body) => createHash('sha256').update(body).digest(),
};

const prefix = 'x-amz-checksum-';
/** These headers describe a checksum but are none. */
const others = ['algorithm', 'mode', 'type'];

/** @returns the stated checksum by its algorithm, verified. @throws S3Failure BadDigest, InvalidRequest, NotImplemented */
export function verifiedChecksums(headers: Headers, body: Buffer): Record<string, string> {
  const stated = Object.entries(headers).flatMap(([name, value]) => {
    const algorithm = name.startsWith(prefix) ? name.slice(prefix.length) : 'algorithm';
    return others.includes(algorithm) ? [] : [{ algorithm, value }];
  });
  if (stated.length > 1) {
    throw invalidRequest('Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.');
  }
  for (const { algorithm, value } of stated) {
    const digest = algorithms[algorithm]?.(body);
    if (!digest) throw notHere(`the checksum ${algorithm}`);
    if (Buffer.from(value, 'base64').length !== digest.length) {
      throw invalidRequest(`Value for ${prefix}${algorithm} header is invalid.`);
    }
    if (value !== digest.toString('base64')) {
      const name = algorithm.toUpperCase();
      throw badDigest(`The ${name} you specified did not match the calculated checksum.`);
    }
  }
  assertMd5(headers, body);
  return Object.fromEntries(stated.map(({ algorithm, value }) => [algorithm, value]));
}

/** The hash of the signed payload does not count, because every call has one. */
export function statesChecksum(headers: Headers): boolean {
  const names = Object.keys(headers).filter((name) => name.startsWith(prefix));
  return 'content-md5' in headers || names.some((name) => !others.includes(name.slice(prefix.length)));
}

export function checksumHeaders(checksums: Headers): Record<string, string> {
  const named = Object.entries(checksums).map(([algorithm, value]) => [`${prefix}${algorithm}`, value]);
  return named.length === 0 ? {} : { ...Object.fromEntries(named), 'x-amz-checksum-type': 'FULL_OBJECT' };
}

/** The hash of the payload that the signature covers. */
export function assertPayload({ 'x-amz-content-sha256': stated = '' }: Headers, body: Buffer): void {
  if (!/^[0-9a-f]{64}$/.test(stated)) return;
  if (createHash('sha256').update(body).digest('hex') === stated) return;
  const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
  throw new S3Failure(400, 'XAmzContentSHA256Mismatch', message);
}

function assertMd5({ 'content-md5': stated }: Headers, body: Buffer): void {
  if (stated === undefined) return;
  if (Buffer.from(stated, 'base64').length !== 16) {
    throw new S3Failure(400, 'InvalidDigest', 'The Content-MD5 you specified was invalid.');
  }
  if (stated !== createHash('md5').update(body).digest('base64')) {
    throw badDigest('The Content-MD5 you specified did not match what we received.');
  }
}

function badDigest(message: string): S3Failure {
  return new S3Failure(400, 'BadDigest', message);
}
