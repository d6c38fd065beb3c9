import { checksumHeaders, statesChecksum, verifiedChecksums } from './checksums.ts';
import {
  accessDenied,
  invalidRequest,
  methodNotAllowed,
  noSuchKey,
  noSuchVersion,
  notHere,
  preconditionFailed,
} from './failures.ts';
import { assertRemovable, lockOfNew } from './locks.ts';
import type { Context, Operation, S3Call } from './operation.ts';
import { latest, plain, type Version } from './versions.ts';

/** Objects: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html and its neighbours. */

/**
 * The headers of a put that are stored and sent with each get. `aws-chunked` belongs to the transfer and is not stored.
 */
const storedHeaders = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

export const objects: Readonly<Record<string, Operation>> = {
  async PutObject(context, call) {
    const version = await put(context, call);
    return { status: 200, headers: answerOf(version) };
  },

  async GetObject(context, call) {
    const { status, headers, version } = wanted(context, call);
    if (status === 304) return { status, headers };
    return { status, headers, body: await context.store.body(context.bucket, version) };
  },

  async HeadObject(context, call) {
    const { status, headers, version } = wanted(context, call);
    if (status === 304) return { status, headers };
    return { status, headers: { ...headers, 'content-length': String(version.size) } };
  },

  async DeleteObject({ store, bucket, now }, { key, versionId, headers }) {
    const { isVersioned } = bucket.model;
    if (versionId === undefined && isVersioned) {
      const added = await store.add(bucket, { ...plain, key, headers: {}, isDeleteMarker: true }, Buffer.alloc(0));
      return { status: 204, headers: markerOf(added) };
    }
    const id = versionId ?? 'null';
    const version = bucket.objects.get(key)?.find((each) => each.versionId === id);
    if (version) {
      assertRemovable(version, now, headers['x-amz-bypass-governance-retention'] === 'true');
      await store.remove(bucket, version);
    }
    if (versionId === undefined) return { status: 204 };
    return { status: 204, headers: version?.isDeleteMarker ? markerOf(version) : { 'x-amz-version-id': versionId } };
  },
};

/** @throws S3Failure */
export async function put({ store, bucket, now }: Context, call: S3Call): Promise<Version> {
  const { key, headers, body } = call;
  if ('x-amz-copy-source' in headers) throw notHere('CopyObject');
  const lock = lockOfNew(headers, bucket.model, now);
  const checksums = verifiedChecksums(headers, body);
  if ((lock.retention || lock.isHeld) && !statesChecksum(headers)) {
    throw invalidRequest(
      'Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters',
    );
  }
  const draft = {
    key,
    isDeleteMarker: false,
    headers: { 'content-type': 'binary/octet-stream', ...storedHeadersOf(headers) },
    checksums,
    ...lock,
  };
  return store.add(bucket, draft, body, (current) => assertPreconditions(headers, key, current));
}

/** The requested version. @throws S3Failure; to callers that may not list, it does not show whether an object exists */
export function found({ bucket, may }: Context, { key, versionId }: S3Call): Version {
  if (versionId !== undefined) {
    const version = bucket.objects.get(key)?.find((each) => each.versionId === versionId);
    if (!version) throw noSuchVersion(key, versionId);
    if (version.isDeleteMarker) throw methodNotAllowed(markerOf(version));
    return version;
  }
  const version = latest(bucket, key);
  if (version && !version.isDeleteMarker) return version;
  if (!may('ListBucket')) throw accessDenied();
  throw noSuchKey(key, version ? markerOf(version) : {});
}

export function answerOf(version: Version): Record<string, string> {
  return { etag: version.etag, ...versionOf(version), ...checksumHeaders(version.checksums) };
}

function described({ may }: Context, { headers }: S3Call, version: Version): Record<string, string> {
  const { retention, isHeld, checksums } = version;
  return {
    ...version.headers,
    etag: version.etag,
    'last-modified': new Date(version.lastModified).toUTCString(),
    ...versionOf(version),
    ...(headers['x-amz-checksum-mode'] === 'ENABLED' && checksumHeaders(checksums)),
    ...(retention &&
      may('GetObjectRetention') && {
        'x-amz-object-lock-mode': retention.mode,
        'x-amz-object-lock-retain-until-date': retention.until,
      }),
    ...(isHeld && may('GetObjectLegalHold') && { 'x-amz-object-lock-legal-hold': 'ON' }),
  };
}

/** A presigned address can set the headers with which a browser gets the object. */
function overridden({ query }: S3Call): Record<string, string> {
  const named = storedHeaders.map((name) => [name, query[`response-${name}`]]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

/** The version of a read, with its headers; 304 if the caller has it already. */
function wanted(context: Context, call: S3Call) {
  const version = found(context, call);
  const { 'if-match': match, 'if-none-match': noneMatch } = call.headers;
  const headers = { ...described(context, call, version), ...overridden(call) };
  if (match !== undefined && !names(match, version.etag)) throw preconditionFailed('If-Match');
  const isKnown = noneMatch !== undefined && names(noneMatch, version.etag);
  return { status: isKnown ? 304 : 200, headers, version };
}

/** https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
function assertPreconditions(headers: S3Call['headers'], key: string, current: Version | undefined): void {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  const isThere = current !== undefined && !current.isDeleteMarker;
  if (noneMatch !== undefined && noneMatch !== '*') throw notHere('If-None-Match with an ETag on a write');
  if (noneMatch === '*' && isThere) throw preconditionFailed('If-None-Match');
  if (match === undefined) return;
  if (!isThere) throw noSuchKey(key);
  if (!names(match, current.etag)) throw preconditionFailed('If-Match');
}

function names(condition: string, etag: string): boolean {
  return condition.split(',').some((each) => ['*', etag, etag.replaceAll('"', '')].includes(each.trim()));
}

export function storedHeadersOf(headers: S3Call['headers']): Record<string, string> {
  const entries = Object.entries(headers)
    .filter(([name]) => storedHeaders.includes(name) || name.startsWith('x-amz-meta-'))
    .map(([name, value]) => [name, name === 'content-encoding' ? withoutChunks(value) : value])
    .filter(([, value]) => value !== '');
  return Object.fromEntries(entries);
}

function withoutChunks(encoding: string): string {
  const encodings = encoding.split(',').map((each) => each.trim());
  return encodings.filter((each) => each !== 'aws-chunked').join(',');
}

function versionOf({ versionId }: Version): Record<string, string> {
  return versionId === 'null' ? {} : { 'x-amz-version-id': versionId };
}

function markerOf(version: Version): Record<string, string> {
  return { ...versionOf(version), 'x-amz-delete-marker': 'true' };
}
