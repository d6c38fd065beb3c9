import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Signature Version 4 of a call in the JSON protocol, which is a POST to `/`. This file signs the stage's own calls and
 * verifies calls.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
 */

/** The secret of every access key on this machine. */
const secret = 'local';
export const algorithm = 'AWS4-HMAC-SHA256';
const signingKeys = new Map<string, KeyObject>();

type Call = {
  readonly endpoint: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly target: string;
};

/** The headers of a DynamoDB call that is made without an SDK. */
export function signedHeaders(
  { endpoint, region, accessKeyId, target }: Call,
  body: string,
  at = new Date(),
): Record<string, string> {
  const date = at.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const scope = `${date.slice(0, 8)}/${region}/dynamodb/aws4_request`;
  const headers = { host: new URL(endpoint).host, 'x-amz-date': date, 'x-amz-target': target };
  const names = Object.keys(headers).join(';');
  const signature = signatureOf({ headers, names, scope, date }, Buffer.from(body)).toString('hex');
  return {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': target,
    'X-Amz-Date': date,
    Authorization: `${algorithm} Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

/** AWS accepts a signature for this time before and after its date, so an overheard call is soon useless. */
const validMs = 5 * 60_000;

/**
 * Whether the call, with its host, date and body, was recently signed with this machine's secret.
 *
 * @param now milliseconds since 1970
 * @param path the path, for a service of the REST protocol, whose calls name no target
 */
export function isSigned(headers: IncomingHttpHeaders, body: Buffer, now = Date.now(), path = '/'): boolean {
  const form = /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/;
  const [, scope = '', names = '', signature = ''] = form.exec(headers.authorization ?? '') ?? [];
  const date = String(headers['x-amz-date'] ?? '');
  const needed = ['host', 'x-amz-date', ...(path === '/' ? ['x-amz-target'] : [])];
  if (!needed.every((name) => names.split(';').includes(name)) || !scope.startsWith(date.slice(0, 8))) return false;
  if (!(Math.abs(now - instantIn(date)) <= validMs)) return false;
  const given = Buffer.from(signature, 'hex');
  return timingSafeEqual(given, signatureOf({ headers, names, scope, date, path }, body));
}

type Signed = {
  readonly headers: IncomingHttpHeaders;
  readonly names: string;
  readonly scope: string;
  readonly date: string;
  readonly path?: string;
};

function signatureOf({ headers, names, scope, date, path = '/' }: Signed, body: Buffer): Buffer {
  const lines = names.split(';').map(
    (name) =>
      `${name}:${String(headers[name] ?? '')
        .trim()
        .replace(/ +/g, ' ')}`,
  );
  const canonical = ['POST', path, '', ...lines, '', names, sha256(body)].join('\n');
  return hmac(signingKey(scope), [algorithm, date, scope, sha256(canonical)].join('\n'));
}

/** @param date `20261121T162450Z` @returns NaN where it is none */
export function instantIn(date: string): number {
  return Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}

/** For a part of an address that is signed: RFC 3986's unreserved characters stay. */
export function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

export function signingKey(scope: string): KeyObject {
  const known = signingKeys.get(scope);
  if (known) return known;
  const made = createSecretKey(scope.split('/').reduce<string | Buffer>(hmac, `AWS4${secret}`) as Buffer);
  if (signingKeys.size > 100) signingKeys.clear();
  signingKeys.set(scope, made);
  return made;
}

export function hmac(key: string | Buffer | KeyObject, data: string): Buffer {
  return createHmac('sha256', key).update(data).digest();
}

function sha256(data: Buffer | string): string {
  return hash('sha256', data);
}
