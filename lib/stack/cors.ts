import { securityHeaders } from '../contract/security-headers.ts';

/** Bearer tokens, no cookies: any origin may call (docs/conventions.md). */

/** For every answer that the gateway or the firewall makes itself. */
export const answerHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'X-Request-Id, ETag, Retry-After',
  'Cache-Control': 'no-store',
  ...securityHeaders,
} as const;

/**
 * The answer to a preflight. It allows the same methods everywhere, even on unknown paths: a script then reads our 404
 * instead of a network error. It has no content, so none of the headers for browsers: each would stand in the template twice a path.
 */
export const preflightHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Accept-Language, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
  'Access-Control-Expose-Headers': 'X-Request-Id, ETag, Retry-After',
  'Access-Control-Max-Age': '86400',
} as const;

/**
 * API Gateway's mapping expressions: a constant stands in single quotes, and has none inside. A directive without a value means
 * `'none'`: https://www.w3.org/TR/CSP3/#match-url-to-source-list
 */
export function constants(prefix: string, headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`${prefix}.${name}`, `'${value.replaceAll(" 'none'", '')}'`]),
  );
}
