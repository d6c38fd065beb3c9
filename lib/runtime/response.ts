import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorBody, errorHeaders } from '../contract/errors.ts';
import type { Route } from '../contract/route.ts';
import { pageSecurityPolicy, securityHeaders } from '../contract/security-headers.ts';
import type { Failure } from './failure.ts';

/** A response that does not fit its own declaration is our defect: a 500 and an alarm, never the caller's 400. */
export class ResponseMismatch extends Error {
  override readonly name = 'ResponseMismatch';
}

/** `mediaType`: for another form than our JSON. */
export type Answer = { etag: string | null; body: unknown; mediaType?: string };

/** The headers of every answer that a function makes (docs/conventions.md). */
export function responseHeaders(requestId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    ...securityHeaders,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, ETag',
  };
}

/** A success. It has no body if the caller already has it, by the `ETag` in `If-None-Match`. */
export function successResponse(
  route: Route,
  { etag, body, mediaType }: Answer,
  asked: { requestId: string; ifNoneMatch: string | undefined },
): APIGatewayProxyResult {
  const { 'Content-Type': contentType, ...rest } = responseHeaders(asked.requestId);
  const headers = {
    ...rest,
    ...(route.cacheControl !== undefined && { 'Cache-Control': route.cacheControl }),
    ...(etag !== null && { ETag: etag }),
    ...(route.alternatives && { Vary: 'Accept' }),
    ...(mediaType === 'text/html' && { 'Content-Security-Policy': pageSecurityPolicy }),
  };
  if (route.method === 'GET' && etag !== null && isAmong(etag, asked.ifNoneMatch)) {
    return { statusCode: 304, headers, body: '' };
  }
  return {
    statusCode: route.status ?? 200,
    headers: { ...headers, 'Content-Type': mediaType ? `${mediaType}; charset=utf-8` : (contentType ?? '') },
    // A page is already a text.
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** RFC 9110 section 13.1.2: weak comparison with each of a list; `*` matches any. */
function isAmong(etag: string, ifNoneMatch = ''): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some((tag) => opaque(tag) === opaque(etag));
}

export function failureResponse(failure: Failure, requestId: string): APIGatewayProxyResult {
  const { error, detail } = failure;
  return {
    statusCode: error.status,
    headers: { ...responseHeaders(requestId), ...errorHeaders(error) },
    body: JSON.stringify(errorBody(error, detail)),
  };
}
