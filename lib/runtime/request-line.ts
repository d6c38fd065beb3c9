import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { requestsForbidden, serverErrors } from '../contract/metrics.ts';
import type { Route } from '../contract/route.ts';
import type { AuthorizerContext } from './authorizer-context.ts';
import { elapsedMs } from './elapsed.ts';
import { failureOf } from './failure.ts';
import { describeError, hashOfUser, writeLine } from './log.ts';
import { failureResponse, ResponseMismatch } from './response.ts';
import type { Runtime } from './runtime.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** AWS support asks for the extended id; callers can set the plain one themselves. */
export function requestIdOf(event: APIGatewayProxyEvent): string {
  return event.requestContext.extendedRequestId ?? event.requestContext.requestId;
}

/** The outermost middleware: every error becomes an answer, and every answer writes one log line. */
export function requestLine(route: Route, runtime: Runtime) {
  const started = new WeakMap<APIGatewayProxyEvent, number>();
  const counted = new WeakMap<APIGatewayProxyEvent, Map<string, unknown>>();
  const names = [...Object.keys(route.counts ?? {}), ...(route.metrics ?? [])];
  let cold = true;

  function log({ event }: ApiRequest, status: number, more: { code?: string; error?: unknown } = {}): void {
    const now = runtime.realNow();
    const counts = counted.get(event) ?? new Map<string, unknown>();
    // The error that ended the request, or one that did not stop it.
    const error = status >= 500 ? more.error : [...counts.values()].find((why) => why !== undefined);
    const userId = (event.requestContext.authorizer as Partial<AuthorizerContext> | null)?.userId;
    const line = {
      level: status >= 500 ? 'ERROR' : error === undefined ? 'INFO' : 'WARN',
      message: 'request',
      requestId: requestIdOf(event),
      application: runtime.variables.APPLICATION,
      route: `${route.method} ${route.path}`,
      status,
      durationMs: Math.round((elapsedMs() - (started.get(event) ?? elapsedMs())) * 10) / 10,
      ...(more.code && { code: more.code }),
      ...(userId && { user: hashOfUser(userId) }),
      ...(cold && { coldStart: true }),
      ...((status >= 500 || error !== undefined) && { error: describeError(error) }),
    } as const;
    writeLine(runtime.write, line, now, {
      ...(status >= 500 && { [serverErrors]: 1 }),
      ...(more.code === 'FORBIDDEN' && { [requestsForbidden]: 1 }),
      ...(more.error instanceof ResponseMismatch && { responseMismatch: 1 }),
      // Written even if it is 0, so that the metric's average is the share of the route's requests.
      ...Object.fromEntries(names.map((name) => [name, counts.has(name) ? 1 : 0])),
    });
    cold = false;
  }

  return {
    /** The counting function for the handler of this event. */
    counter: (event: APIGatewayProxyEvent) => {
      const counts = new Map<string, unknown>();
      counted.set(event, counts);
      return (name: string, why?: unknown): void => void counts.set(name, why);
    },
    before: ({ event }: ApiRequest): void => {
      started.set(event, elapsedMs());
    },
    after: (request: ApiRequest): void => log(request, request.response?.statusCode ?? 200),
    onError: (request: ApiRequest): void => {
      const failure = failureOf(request.error);
      request.response = failureResponse(failure, requestIdOf(request.event));
      log(request, request.response.statusCode, { code: failure.code, error: request.error });
    },
  };
}
