import { table } from '../../../lib/contract/tables.ts';
import type { TableAccess, TableUse } from '../../../lib/contract/uses.ts';
import type { HandlesOf } from '../../../lib/runtime/table-handle.ts';

const Declared = table<{ thingId: string; count: number }>()('Things', { partitionKey: 'thingId' });

/** What a handler gets that declares this access. */
export type Things<A extends TableAccess> =
  HandlesOf<readonly [TableUse<typeof Declared, A>]> extends { readonly Things: infer H } ? H : never;
export const key = { thingId: 'x' };
export const row = { thingId: 'x', count: 1 };
