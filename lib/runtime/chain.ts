import middy, { type MiddyfiedHandler } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { RouteNotFound, Unauthenticated } from '../contract/common-errors.ts';
import type { Route } from '../contract/route.ts';
import { accountGate } from './account-gate.ts';
import { answer } from './answer.ts';
import { jsonBody } from './body.ts';
import { type Caller, identify } from './caller.ts';
import { type FunctionEnvironment, readEnvironment } from './environment.ts';
import { Failure, OutOfTime } from './failure.ts';
import type { Handling, Steps } from './handle.ts';
import type { AnyHandling } from './handling.ts';
import type { Paging } from './paging.ts';
import { requestIdOf, requestLine } from './request-line.ts';
import { successResponse } from './response.ts';
import type { OtherBodies, Runtime } from './runtime.ts';
import { header, headerLines } from './validate.ts';

export type LambdaHandler = MiddyfiedHandler<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** The last of the function's ten seconds is kept for the answer that reports the time-out. */
const reserveMs = 1000;

/**
 * The steps around a handler, from the invocation's event to its answer. `serve`, `serveWithoutTables` and `servePages` use
 * it.
 */
export function chainOf<const R extends Route>(
  route: R,
  runtime: Runtime,
  paging?: Paging,
): <Found>(handling: Handling<R, Found>) => LambdaHandler {
  return (handling) => {
    const callers = new WeakMap<APIGatewayProxyEvent, Caller>();
    const answerTo = answer(
      route,
      route.dataSubject ? withCheck(route, runtime, handling) : handling,
      paging,
      runtime.dynamo,
    );
    let known: FunctionEnvironment | undefined;
    const where = (): FunctionEnvironment => {
      known ??= readEnvironment(runtime.variables);
      return known;
    };

    const chain = middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
      timeoutEarlyInMillis: reserveMs,
      timeoutEarlyResponse: () => {
        throw new OutOfTime();
      },
    });
    const { counter, ...line } = requestLine(route, runtime);
    chain.use(line);
    // Runs before the body is read: a caller without the permission does not learn what a call would need.
    chain.before(({ event }) => {
      // API Gateway ignores a slash at the end of a path; here one resource has only one address.
      if (event.path.length > 1 && event.path.endsWith('/')) throw new Failure(RouteNotFound);
      if (route.auth === 'public') return;
      // RFC 9110 allows one such header. AWS does not document which of two the authorizer gets.
      if (headerLines(event, 'authorization').length > 1) throw new Failure(Unauthenticated);
      callers.set(event, identify(event, route.auth, route, where(), runtime.realNow().getTime()));
    });
    if (route.body) chain.use(jsonBody(readersOf(route, runtime)));
    return chain.handler(async (event: APIGatewayProxyEvent) => {
      const id = requestIdOf(event);
      const caller = callers.get(event) ?? null;
      const gate = accountGate(route, runtime, where(), caller);
      const { read, answer } = answerTo({
        event,
        caller,
        account: gate.account,
        where: where(),
        id,
        count: counter(event),
      });
      const answered = await gate.pass(runtime.clock, read, answer);
      return successResponse(route, answered, { requestId: id, ifNoneMatch: header(event, 'if-none-match') });
    });
  };
}

/** Loading the function fails where the route declares a form that the runtime cannot read. */
function readersOf({ method, path, otherBodies = [] }: Route, runtime: Runtime): OtherBodies {
  const readers = Object.entries(runtime.otherBodies ?? {});
  for (const type of otherBodies)
    if (!readers.some(([read]) => read === type)) throw new Error(`${method} ${path}: nothing reads ${type}`);
  return Object.fromEntries(readers.filter(([type]) => otherBodies.includes(type.split(';')[0] ?? '')));
}

/** Loading the function fails where the runtime has no check: it takes one with `access`. */
function withCheck<R extends Route, Found>(route: R, runtime: Runtime, handling: Handling<R, Found>) {
  return (runtime as Required<Runtime>).access(route, handling as AnyHandling) as Steps<R, Found>;
}
