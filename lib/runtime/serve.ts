import type { Route } from '../contract/route.ts';
import { chainOf, type LambdaHandler } from './chain.ts';
import { lambdaWithClock } from './clock.ts';
import type { Handle, Steps } from './handle.ts';
import type { Runtime } from './runtime.ts';

export type Single = Extract<Route, { readonly response: unknown }>;

/**
 * Makes a Lambda handler from a route's declaration and the one function that answers it. It is curried, so that the
 * function's types do not widen the literal types of the declaration. For a route that uses no table `serveWithoutTables`
 * has a tenth of the weight; a collection takes `servePages`.
 */
export function serve<const R extends Single>(
  route: R,
  runtime: Runtime = lambdaWithClock,
): (handle: Handle<R>) => LambdaHandler {
  return chainOf(route, runtime);
}

/** `serve` for a handler whose reads need neither the time nor an open account: `serveInSteps(agree)({ read, answer })`. */
export function serveInSteps<const R extends Single>(
  route: R,
  runtime: Runtime = lambdaWithClock,
): <Found>(steps: Steps<R, Found>) => LambdaHandler {
  return chainOf(route, runtime);
}
