import { hash, timingSafeEqual } from 'node:crypto';
import { algorithm, escaped, hmac, instantIn, signingKey } from '../service/signature.ts';
import { accessDenied, S3Failure, signatureDoesNotMatch } from './failures.ts';

/**
 * Signature Version 4, verified for presigned addresses and forms, because they pass through other hands.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
 */

/** Seven days. */
const LONGEST_SECONDS = 604_800;

export type Signed = {
  readonly method: string;
  /** Decoded, with its slash. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
};

/** @returns the access key. @throws S3Failure */
export function verifyPresigned({ method, path, query, headers }: Signed, region: string, now: number): string {
  const parameter = (name: string) => {
    const value = query[name];
    if (value === undefined) throw malformed(`Query-string authentication version 4 requires the ${name} parameter`);
    return value;
  };
  if (parameter('X-Amz-Algorithm') !== algorithm) throw malformed(`X-Amz-Algorithm only supports "${algorithm}"`);
  const { accessKeyId, scope } = readCredential(parameter('X-Amz-Credential'), region);
  const date = parameter('X-Amz-Date');
  const seconds = Number(parameter('X-Amz-Expires'));
  if (!(seconds > 0 && seconds <= LONGEST_SECONDS)) {
    throw malformed(
      'X-Amz-Expires must be less than a week (in seconds); that is, the given X-Amz-Expires must be less than 604800 seconds',
    );
  }
  const signedAt = instantOf(date);
  if (!scope.startsWith(date.slice(0, 8))) throw malformed('Invalid credential date: it is not that of X-Amz-Date');
  if (now < signedAt - 15 * 60 * 1000) throw accessDenied('Request is not yet valid');
  if (now > signedAt + seconds * 1000) throw accessDenied('Request has expired');

  const signedHeaders = parameter('X-Amz-SignedHeaders').split(';');
  const unsigned = Object.keys(headers).filter((name) => name.startsWith('x-amz-') && !signedHeaders.includes(name));
  if (unsigned.length > 0 || !signedHeaders.includes('host')) {
    throw accessDenied('There were headers present in the request which were not signed');
  }
  const canonicalQuery = Object.entries(query)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => `${escaped(name)}=${escaped(value)}`)
    .toSorted();
  const canonical = [
    method,
    path.split('/').map(escaped).join('/'),
    canonicalQuery.join('&'),
    ...signedHeaders.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    signedHeaders.join(';'),
    headers['x-amz-content-sha256'] ?? query['X-Amz-Content-Sha256'] ?? 'UNSIGNED-PAYLOAD',
  ].join('\n');
  assertSignature([algorithm, date, scope, hash('sha256', canonical)].join('\n'), scope, parameter('X-Amz-Signature'));
  return accessKeyId;
}

/**
 * Verifies a form: the signed text is its policy in Base64.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-authentication-HTTPPOST.html
 *
 * @returns the access key
 */
export function verifyPolicySignature(fields: Readonly<Record<string, string>>, region: string): string {
  const field = (name: string) => {
    const value = fields[name];
    if (value === undefined) {
      const message = `Bucket POST must contain a field named '${name}'. If it is specified, please check the order of the fields.`;
      throw new S3Failure(400, 'InvalidArgument', message, { ArgumentName: name, ArgumentValue: '' });
    }
    return value;
  };
  if (field('x-amz-algorithm') !== algorithm) throw malformed(`X-Amz-Algorithm only supports "${algorithm}"`);
  const { accessKeyId, scope } = readCredential(field('x-amz-credential'), region);
  const date = field('x-amz-date');
  instantOf(date);
  if (!scope.startsWith(date.slice(0, 8))) throw malformed('Invalid credential date: it is not that of X-Amz-Date');
  assertSignature(field('policy'), scope, field('x-amz-signature'));
  return accessKeyId;
}

function readCredential(credential: string, region: string): { accessKeyId: string; scope: string } {
  const [accessKeyId = '', ...scope] = credential.split('/');
  const [day = '', at, service, end] = scope;
  if (scope.length !== 4 || !/^\d{8}$/.test(day) || service !== 's3' || end !== 'aws4_request') {
    throw malformed('Error parsing the X-Amz-Credential parameter');
  }
  if (at !== region) {
    throw malformed(`Error parsing the X-Amz-Credential parameter; the region '${at}' is wrong; expecting '${region}'`);
  }
  return { accessKeyId, scope: scope.join('/') };
}

function assertSignature(text: string, scope: string, signature: string): void {
  const expected = hmac(signingKey(scope), text);
  const given = Buffer.from(signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw signatureDoesNotMatch();
}

function instantOf(date: string): number {
  const instant = instantIn(date);
  if (Number.isNaN(instant)) {
    throw malformed("X-Amz-Date must be in the ISO8601 Long Format \"yyyyMMdd'T'HHmmss'Z'\"");
  }
  return instant;
}

function malformed(message: string): S3Failure {
  return new S3Failure(400, 'AuthorizationQueryParametersError', message);
}
