import type { Table } from '../lib/contract/tables.ts';
import { type TableAccess, tablesIn, type Uses } from '../lib/contract/uses.ts';
import { functionName } from '../lib/stack/names.ts';

/** What the role of each function may do to rows and to everything else, by its declaration: to any row, as IAM knows no owner. */

export type Holder = { readonly name: string; readonly domain: string; readonly calledBy: string; readonly uses: Uses };

type Declared = {
  readonly operations: readonly {
    readonly id: string;
    readonly domain: string;
    readonly route: { readonly auth: 'public' | { readonly name: string }; readonly uses?: Uses };
    readonly dataSubject?: { readonly uses: Uses };
  }[];
  readonly consumers: readonly { readonly id: string; readonly domain: string; readonly consumer: Caller }[];
};

type Named = { readonly name: string };
type Caller = {
  readonly uses: Uses;
  readonly stream?: Named;
  readonly queue?: Named;
  readonly topic?: Named;
  readonly procedure?: Named;
  readonly schedule?: string;
};

export function holders({ operations, consumers }: Declared): Holder[] {
  return [
    ...operations.map(({ id, domain, route, dataSubject }) => ({
      name: functionName(id),
      domain,
      calledBy: route.auth === 'public' ? 'anybody' : `\`${route.auth.name}\``,
      uses: [...(route.uses ?? []), ...(dataSubject?.uses ?? [])],
    })),
    ...consumers.map(({ id, domain, consumer }) => ({
      name: functionName(id),
      domain,
      calledBy: callerOf(consumer),
      uses: consumer.uses,
    })),
  ];
}

function callerOf({ stream, queue, topic, procedure, schedule }: Caller): string {
  if (stream) return `changes of \`${stream.name}\``;
  if (queue) return `\`${queue.name}\``;
  if (topic) return `\`${topic.name}\``;
  return procedure ? `who may call \`${procedure.name}\`` : `the clock, ${schedule}`;
}

/** `adjust`: only the attributes that the table names; `expire`: only the expiry. */
export type Right = 'put' | 'update' | 'adjust' | 'expire' | 'delete' | 'get' | 'query' | 'batch' | 'scan';

const given: Readonly<Record<TableAccess, readonly Right[]>> = {
  get: ['get'],
  batch: ['batch'],
  read: ['get', 'query'],
  scan: ['scan'],
  write: ['get', 'query', 'put', 'update'],
  remove: ['get', 'query', 'delete'],
  discard: ['delete'],
  append: ['put'],
  replace: ['put', 'delete'],
  adjust: ['update'],
  expire: ['query', 'expire'],
  check: [],
};

function rightsTo({ adjustable }: Pick<Table, 'adjustable'>, accesses: readonly TableAccess[]): Set<Right> {
  return new Set(
    accesses.flatMap((access) => (access === 'adjust' && adjustable ? (['adjust'] as const) : given[access])),
  );
}

export type RightsToTable = ReadonlyMap<string, ReadonlySet<Right>>;

/** By table, the rights of each function that has any. */
export function rightsByTable(all: readonly Holder[]): Map<string, Map<string, Set<Right>>> {
  const found = new Map<string, Map<string, Set<Right>>>();
  for (const { name, uses } of all) {
    for (const [table, accesses] of tablesIn(uses)) {
      const functions = found.get(table.name) ?? new Map<string, Set<Right>>();
      found.set(table.name, functions.set(name, rightsTo(table, accesses)));
    }
  }
  return found;
}

export function withRight(functions: RightsToTable | undefined, ...rights: readonly Right[]): string[] {
  return [...(functions ?? [])].filter(([, held]) => rights.some((right) => held.has(right))).map(([name]) => name);
}
