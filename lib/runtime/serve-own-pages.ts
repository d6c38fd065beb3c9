import type { Route } from '../contract/route.ts';
import { chainOf, type LambdaHandler } from './chain.ts';
import type { Handle } from './handle.ts';
import { ownPaging } from './paging.ts';
import type { Runtime } from './runtime.ts';

type OwnPage = Extract<Route, { readonly response: unknown }> & { readonly cursors: true };

/** `serve` for a page in its own form: the handler gets the cursors as `page`. */
export function serveOwnPages<const R extends OwnPage>(
  route: R,
  runtime: Runtime,
): (handle: Handle<R>) => LambdaHandler {
  return chainOf(route, runtime, ownPaging);
}
