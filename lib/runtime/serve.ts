import type { Route } from '../contract/route.ts';
import { chainOf, type LambdaHandler } from './chain.ts';
import { lambdaWithClock } from './clock.ts';
import type { Handle, Steps } from './handle.ts';
import type { Runtime } from './runtime.ts';

export type Single = Extract<Route, { readonly response: unknown }>;

/**
 * Makes a Lambda handler of a route's declaration and the one function that answers it. Curried, so that the literal
 * types of the declaration are not widened by those of the function. For a route that uses no table `serveWithoutTables` is
 * a tenth of the weight; a collection takes `servePages`.
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
