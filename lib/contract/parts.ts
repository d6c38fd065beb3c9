import { Accounts } from './accounts.ts';
import type { Consumer } from './consumer.ts';
import type { Declarations } from './declarations.ts';
import { hasCursors, type Route } from './route.ts';
import { tablesIn, type Uses } from './uses.ts';

/**
 * What a function's `handler` is given when it is loaded, as its declaration asks for it: so a bundle carries only what the function
 * uses. The first part is the runtime.
 */

/** A value of a module, and as what it is in the runtime. */
export type Part = { readonly name: string; readonly file: string; readonly as?: 'paging' | 'access' | 'otherBodies' };

type Here = Pick<Declarations, 'folder' | 'tables'>;

/** @param file the handler's, below the project's root */
export function partsOfRoute(file: string, route: Route, { folder, tables }: Here): Part[] {
  return [
    runtimeOf(route, tables),
    ...(hasCursors(route)
      ? [{ name: route.items ? 'paging' : 'ownPaging', file: 'lib/runtime/paging.ts', as: 'paging' } as const]
      : []),
    ...(route.dataSubject ? [{ name: 'withAccess', file: `${folder}/access/check.ts`, as: 'access' } as const] : []),
    ...(route.otherBodies ? [{ name: 'otherBodies', file, as: 'otherBodies' } as const] : []),
  ];
}

/** A public route without tables needs neither the service's clock nor the database client (49 KiB instead of 385). */
function runtimeOf({ auth, uses, hasty }: Route, tables: Here['tables']): Part {
  if (auth === 'public' && tablesIn(uses).length === 0) return withoutTables;
  return hasty ? { ...withClock(tables), name: 'lambdaInHaste' } : withClock(tables);
}

/** Only scheduled functions and procedures have rules that need the clock. */
export function partsOfConsumer({ schedule, procedure, uses }: Consumer, { tables }: Here): Part[] {
  if (schedule || procedure) return [withClock(tables)];
  return [usesTables(uses) ? { name: 'lambdaWithTables', file: 'lib/runtime/clients.ts' } : withoutTables];
}

const withoutTables: Part = { name: 'lambda', file: 'lib/runtime/runtime.ts' };

function withClock(tables: Here['tables']): Part {
  const hasAccounts = tables.some(({ name }) => name === Accounts.name);
  return { name: hasAccounts ? 'lambdaWithClock' : 'lambdaWithoutAccounts', file: 'lib/runtime/clock.ts' };
}

function usesTables(uses: Uses | undefined): boolean {
  return tablesIn(uses).length > 0;
}

type Loaded = Readonly<Record<string, unknown>>;

/** The function of Lambda's that a file's `handler` becomes. @param load by the path below the project's root */
export function handlerOf(file: string, parts: readonly Part[], load: (path: string) => Loaded): unknown {
  const { handler } = load(file);
  const [first, ...others] = parts;
  if (!first) return handler;
  const runtime = load(first.file)[first.name] as object;
  const values = others.map(({ name, file: from, as }) => {
    const value = load(from)[name];
    return [as, as === 'access' ? (value as (runtime: object) => unknown)(runtime) : value];
  });
  return (handler as (runtime: object) => unknown)({ ...runtime, ...Object.fromEntries(values) });
}
