import middy, { type MiddyfiedHandler } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import { RouteNotFound, Unauthenticated } from '../contract/common-errors.ts';
import { hasCursors, type Route } from '../contract/route.ts';
import { accountGate } from './account-gate.ts';
import { jsonBody } from './body.ts';
import { type Caller, identify } from './caller.ts';
import { type FunctionEnvironment, readEnvironment } from './environment.ts';
import { Failure, OutOfTime } from './failure.ts';
import type { AnyHandling, Handling } from './handle.ts';
import { inputOf } from './input.ts';
import { Representation } from './representation.ts';
import { requestIdOf, requestLine } from './request-line.ts';
import { type Answer, ResponseMismatch, successResponse } from './response.ts';
import type { OtherBodies, Runtime } from './runtime.ts';
import { header, headerLines } from './validate.ts';

export type LambdaHandler = MiddyfiedHandler<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** The last of the function's ten seconds is kept for the answer that reports the time-out. */
const reserveMs = 1000;

const timeOut = {
  timeoutEarlyInMillis: reserveMs,
  timeoutEarlyResponse: () => {
    throw new OutOfTime();
  },
};

/**
 * One request, from the invocation's event to its answer. What is thrown on the way becomes an answer, too, and each answer writes a
 * log line (`requestLine`). Loading the function fails where the runtime lacks a part that the route declares.
 */
export function handleRequest<const R extends Route, Found>(
  route: R,
  runtime: Runtime,
  handling: Handling<R, Found>,
): LambdaHandler {
  const { prefetch, respond } = handlingOf(route, runtime, handling as AnyHandling);
  const { counter, ...line } = requestLine(route, runtime);
  const readBody = route.body && jsonBody(readersOf(route, runtime));
  const paging = pagingOf(route, runtime);
  const schema = paging?.responseSchema(route) ?? (route.response as z.ZodMiniObject);
  let where: FunctionEnvironment | undefined;

  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>(timeOut)
    .use(line)
    .handler(async (event: APIGatewayProxyEvent) => {
      where ??= readEnvironment(runtime.variables);
      const here = where;
      const requestId = requestIdOf(event);
      // API Gateway ignores a slash at the end of a path; here one resource has only one address.
      if (event.path.length > 1 && event.path.endsWith('/')) throw new Failure(RouteNotFound);
      // Before the body is read: a caller without the permission does not learn what a call would need.
      const caller = callerOf(route, event, here, runtime.realNow());
      readBody?.(event);
      const { account, pass } = accountGate(route, runtime, here, caller);
      // Made within the gate, which reports an ended session and a closed account before what is wrong with the request.
      let made: ReturnType<typeof inputOf> | undefined;
      const given = () => {
        made ??= inputOf(
          route,
          { event, caller, account, where: here, requestId, count: counter(event) },
          paging,
          runtime.dynamo,
        );
        return made;
      };
      const output = await pass(
        runtime.clock,
        prefetch ? async () => prefetch(given().input as never) : null,
        async (now, found) => respond({ ...given().input, now } as never, found as never),
      );
      if (output instanceof Failure) throw output;
      const answer = answerOf(route, output, (content) => fitted(schema, given().wrap(content)));
      return successResponse(route, answer, { requestId, ifNoneMatch: header(event, 'if-none-match') });
    });
}

/** The handler, within the check of a route that is about another person. */
function handlingOf(route: Route, { access }: Runtime, handling: AnyHandling): AnyHandling {
  if (!route.dataSubject) return handling;
  if (!access) throw new Error(`${route.method} ${route.path}: the runtime has no check of who may look`);
  return access(route, handling);
}

function readersOf({ method, path, otherBodies = [] }: Route, runtime: Runtime): OtherBodies {
  const readers = Object.entries(runtime.otherBodies ?? {});
  for (const type of otherBodies)
    if (!readers.some(([read]) => read === type)) throw new Error(`${method} ${path}: nothing reads ${type}`);
  return Object.fromEntries(
    readers.filter(([type]) => otherBodies.some((of) => type === of || type.startsWith(`${of};`))),
  );
}

function pagingOf(route: Route, { paging }: Runtime): Runtime['paging'] {
  if (!hasCursors(route)) return undefined;
  if (!paging) throw new Error(`${route.method} ${route.path}: the runtime has no pages`);
  return paging;
}

function callerOf(route: Route, event: APIGatewayProxyEvent, where: FunctionEnvironment, now: Date): Caller | null {
  if (route.auth === 'public') return null;
  // RFC 9110 allows one such header. AWS does not document which of two the authorizer gets.
  if (headerLines(event, 'authorization').length > 1) throw new Failure(Unauthenticated);
  return identify(event, route.auth, route, where, now.getTime());
}

function answerOf(route: Route, output: unknown, inForm: (content: unknown) => unknown): Answer {
  const { etag = null, body } = route.etag ? (output as { etag: string; body: unknown }) : { body: output };
  if (body instanceof Representation) return { etag, body: body.body, mediaType: body.mediaType };
  return { etag, body: inForm(body) };
}

/** The output in its declared form: undeclared fields do not leave the service. */
function fitted(schema: z.ZodMiniObject, output: unknown): unknown {
  const result = z.safeParse(schema, output);
  if (result.success) return result.data;
  throw new ResponseMismatch(result.error.issues.map((issue) => issue.path.join('.')).join());
}
