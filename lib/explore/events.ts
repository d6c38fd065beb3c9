import type { Runnable } from './functions.ts';
import type { Answer, Person, Request } from './scenario.ts';

/** What a function is invoked with, and what became of it. */

export type Ended =
  | { readonly how: 'answered'; readonly value: unknown }
  | { readonly how: 'failed'; readonly error: unknown }
  | { readonly how: 'died' | 'out of time' };

export const nothing: Answer = { status: 0, body: {}, etag: null };

export function answerOf(ended: Ended): Answer {
  if (ended.how === 'out of time') return { ...nothing, status: 504 };
  if (ended.how !== 'answered') return { ...nothing, status: 502 };
  const { statusCode, headers, body } = ended.value as {
    statusCode: number;
    headers?: Record<string, string>;
    body: string;
  };
  const etag = headers?.ETag ?? null;
  return { status: statusCode, body: body ? (JSON.parse(body) as Answer['body']) : {}, etag };
}

/** Lambda's answer to the function that invoked this one. */
export function invokeOutput(ended: Ended) {
  const bytes = (payload: unknown) => Buffer.from(JSON.stringify(payload) ?? 'null');
  if (ended.how === 'answered') return { StatusCode: 200, Payload: bytes(ended.value) };
  const errorType = { failed: 'Error', died: 'Runtime.ExitError', 'out of time': 'Sandbox.Timedout' }[ended.how];
  return { StatusCode: 200, FunctionError: 'Unhandled', Payload: bytes({ errorType }) };
}

export function scheduledEvent(now: number) {
  return { source: 'aws.events', 'detail-type': 'Scheduled Event', time: new Date(now).toISOString(), detail: {} };
}

/** API Gateway's event of a request that the authorizer let through. */
export function eventOf(fn: Runnable, person: Person, request: Request, id: string, now: number): unknown {
  const { method = 'GET', path = '/' } = fn.route ?? {};
  const { params = {}, query = {}, headers = {}, body, session } = request;
  const encoded = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, encodeURIComponent(value)]));
  const sent: Record<string, string> = {
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  };
  const lists = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value]]));
  const seconds = String(Math.floor(now / 1000) + 900);
  const { userId, username = userId, roles } = person;
  const authorizer = {
    userId,
    username,
    roles: roles.join(','),
    exp: seconds,
    signedInAt: String(session?.signedInAt ?? Math.floor(now / 1000)),
    sessionId: session?.sessionId ?? '',
  };
  return {
    resource: path,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded[name] ?? ''),
    httpMethod: method,
    headers: sent,
    multiValueHeaders: lists(sent),
    queryStringParameters: query,
    multiValueQueryStringParameters: lists(query),
    pathParameters: encoded,
    stageVariables: null,
    requestContext: {
      requestId: id,
      extendedRequestId: id,
      identity: { sourceIp: '192.0.2.1' },
      authorizer: fn.route?.auth === 'public' ? null : authorizer,
      path,
      stage: 'test',
    },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  };
}
