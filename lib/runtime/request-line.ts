import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { Route } from '../contract/route.ts';
import { ResponseMismatch } from './answer.ts';
import type { AuthorizerContext } from './authorizer-context.ts';
import { failureOf } from './failure.ts';
import { describeError, hashOfUser, writeLine } from './log.ts';
import { failureResponse } from './response.ts';
import type { Runtime } from './runtime.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** The extended id is the one that AWS's support asks for; callers can set the plain one themselves. */
export function requestIdOf(event: APIGatewayProxyEvent): string {
  return event.requestContext.extendedRequestId ?? event.requestContext.requestId;
}

/** The outermost middleware: every error becomes an answer, and every answer one line in the log. */
export function requestLine(route: Route, runtime: Runtime) {
  const started = new WeakMap<APIGatewayProxyEvent, number>();
  let cold = true;

  function log({ event }: ApiRequest, status: number, more: { code?: string; error?: unknown } = {}): void {
    const now = runtime.realNow();
    const userId = (event.requestContext.authorizer as Partial<AuthorizerContext> | null)?.userId;
    const line = {
      level: status >= 500 ? 'ERROR' : 'INFO',
      message: 'request',
      requestId: requestIdOf(event),
      application: runtime.variables.APPLICATION,
      route: `${route.method} ${route.path}`,
      status,
      durationMs: Math.round((performance.now() - (started.get(event) ?? performance.now())) * 10) / 10,
      ...(more.code && { code: more.code }),
      ...(userId && { user: hashOfUser(userId) }),
      ...(cold && { coldStart: true }),
      ...(status >= 500 && { error: describeError(more.error) }),
    } as const;
    writeLine(runtime.write, line, now, more.error instanceof ResponseMismatch ? { responseMismatch: 1 } : {});
    cold = false;
  }

  return {
    before: ({ event }: ApiRequest): void => {
      started.set(event, performance.now());
    },
    after: (request: ApiRequest): void => log(request, request.response?.statusCode ?? 200),
    onError: (request: ApiRequest): void => {
      const failure = failureOf(request.error);
      request.response = failureResponse(failure, requestIdOf(request.event));
      log(request, request.response.statusCode, { code: failure.code, error: request.error });
    },
  };
}
