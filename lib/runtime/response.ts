import type { APIGatewayProxyResult } from 'aws-lambda';
import { errorBody, errorHeaders, errors } from '../contract/errors.ts';
import type { Failure } from './failure.ts';

/** The headers of every answer that a function makes (contract section 2). */
export function responseHeaders(requestId: string): Record<string, string> {
  return {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': requestId,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id, Retry-After, ETag',
  };
}

export function failureResponse(failure: Failure, requestId: string): APIGatewayProxyResult {
  const { code, detail } = failure;
  return {
    statusCode: errors[code].status,
    headers: { ...responseHeaders(requestId), ...errorHeaders(code) },
    body: JSON.stringify(errorBody(code, detail as never)),
  };
}
