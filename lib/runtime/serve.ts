import type { Route } from '../contract/route.ts';
import type { Handle, Handling } from './handle.ts';
import { handleRequest, type LambdaHandler } from './handle-request.ts';
import type { Runtime } from './runtime.ts';

/** What a handler's file exports. The entry of its bundle gives it the parts that its route needs (lib/bundle/entries.ts). */
export type Served = (runtime: Runtime) => LambdaHandler;

/**
 * Makes a Lambda handler from a route's declaration and the one function that answers it. It is curried, so that the
 * function's types do not widen the literal types of the declaration.
 */
export function serve<const R extends Route>(route: R): (respond: Handle<R>) => Served {
  return (respond) => (runtime) => handleRequest(route, runtime, { respond });
}

/**
 * `serve` for a handler in two steps, which saves one round trip. `prefetch` needs neither the time nor an open account, so it runs
 * while those are read: it must only read. `respond` begins when the account is known to be open.
 */
export function serveWithPrefetch<const R extends Route>(
  route: R,
): <Found>(handling: Required<Handling<R, Found>>) => Served {
  return (handling) => (runtime) => handleRequest(route, runtime, handling);
}
