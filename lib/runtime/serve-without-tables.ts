import type { TableUse, Use } from '../contract/uses.ts';
import { chainOf, type LambdaHandler } from './chain.ts';
import type { Handle } from './handle.ts';
import { lambda, type Runtime } from './runtime.ts';
import type { Single } from './serve.ts';

type WithoutTables = Single & { readonly auth: 'public'; readonly uses?: readonly Exclude<Use, TableUse>[] };

/**
 * `serve` for a public route that uses no table. Its handler gets no `now`, so its bundle needs neither the service's clock nor
 * the database client (49 KiB instead of 385). A route with a caller reads whether the session goes on.
 */
export function serveWithoutTables<const R extends WithoutTables>(
  route: R,
  runtime: Runtime = lambda,
): (handle: Handle<R>) => LambdaHandler {
  return chainOf(route, runtime);
}
