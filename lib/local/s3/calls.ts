import type { IncomingMessage } from 'node:http';
import { accessKeyOf } from '../service/request.ts';
import { assertPayload } from './checksums.ts';
import { accessDenied, notHere } from './failures.ts';
import type { S3Call } from './operation.ts';
import { readForm } from './post-object.ts';
import { verifyPresigned } from './signatures.ts';
import { readPayload, type S3Request } from './wire.ts';

/** Finds a request's S3 call and its caller. */

/**
 * @throws S3Failure for an unsigned call, for a presigned address or a form with a wrong signature, and for an
 * unsupported call
 */
export async function readCall(
  request: IncomingMessage,
  head: S3Request,
  region: string,
  now: number,
): Promise<S3Call> {
  const { bucket, key, query, method } = head;
  const { body, trailers } = await readPayload(request);
  if (method === 'POST' && key === '' && Object.keys(query).length === 0) {
    return readForm({ bucket, contentType: head.headers['content-type'] ?? '', body }, region, now);
  }
  const action = actionOf(head);
  const isPresigned = 'X-Amz-Algorithm' in query;
  const accessKeyId = isPresigned ? verifyPresigned(head, region, now) : accessKeyOf(request);
  // No bucket here is public.
  if (!accessKeyId) throw accessDenied();
  const headers = { ...(isPresigned && hoisted(query)), ...head.headers, ...trailers };
  assertPayload(headers, body);
  const authType = isPresigned ? 'REST-QUERY-STRING' : 'REST-HEADER';
  return { action, bucket, key, versionId: query.versionId, headers, query, accessKeyId, authType, body };
}

const ofObjects: Readonly<Record<string, string>> = {
  GET: 'GetObject',
  HEAD: 'HeadObject',
  PUT: 'PutObject',
  DELETE: 'DeleteObject',
  'GET legal-hold': 'GetObjectLegalHold',
  'POST uploads': 'CreateMultipartUpload',
  'PUT partNumber uploadId': 'UploadPart',
  'POST uploadId': 'CompleteMultipartUpload',
  'DELETE uploadId': 'AbortMultipartUpload',
  'PUT legal-hold': 'PutObjectLegalHold',
  'GET retention': 'GetObjectRetention',
  'PUT retention': 'PutObjectRetention',
};
const ofBuckets: Readonly<Record<string, string>> = {
  HEAD: 'HeadBucket',
  'GET list-type': 'ListObjectsV2',
  'GET versions': 'ListObjectVersions',
};
/** Parameters that do not select another call. */
const known =
  /^(versionId|x-id|response-[a-z-]+|x-amz-.*|prefix|delimiter|max-keys|start-after|continuation-token|encoding-type|key-marker|version-id-marker|fetch-owner)$/i;

function actionOf({ method, key, query }: S3Request): string {
  const named = Object.keys(query)
    .filter((name) => !known.test(name))
    .toSorted();
  const call = [method, ...named].join(' ');
  const action = (key === '' ? ofBuckets : ofObjects)[call];
  if (action === undefined) throw notHere(`${call} of ${key === '' ? 'a bucket' : 'an object'}`);
  return action;
}

/** The SDK moves headers of a presigned call into the query, where S3 accepts them, too. */
function hoisted(query: S3Request['query']): Record<string, string> {
  const entries = Object.entries(query).map(([name, value]) => [name.toLowerCase(), value] as const);
  return Object.fromEntries(entries.filter(([name]) => name.startsWith('x-amz-')));
}
