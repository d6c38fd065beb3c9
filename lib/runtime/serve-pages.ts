import type { Route } from '../contract/route.ts';
import { chainOf, type LambdaHandler } from './chain.ts';
import type { Handle, Steps } from './handle.ts';
import { paging } from './paging.ts';
import type { Runtime } from './runtime.ts';

type Collection = Extract<Route, { readonly items: unknown }>;

/** `serve` for a collection. The runtime is `lambdaWithClock`, or `lambda` for a public route that uses no table. */
export function servePages<const R extends Collection>(
  route: R,
  runtime: Runtime,
): (handle: Handle<R>) => LambdaHandler {
  return chainOf(route, runtime, paging);
}

/** `serveInSteps` for a collection. */
export function servePagesInSteps<const R extends Collection>(
  route: R,
  runtime: Runtime,
): <Found>(steps: Steps<R, Found>) => LambdaHandler {
  return chainOf(route, runtime, paging);
}
