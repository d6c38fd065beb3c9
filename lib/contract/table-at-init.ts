import type { Table } from './tables.ts';
import { firstReadable, type Uses } from './uses.ts';

/** A route or a consumer. */
type Declared = { readonly uses?: Uses; readonly tolerant?: boolean };

export type TableAtInit = Pick<Table, 'name' | 'partitionKey' | 'sortKey'>;

/** The table that a function reads at init. Undefined where the function must not wait for a table, or may read none. */
export function tableReadAtInit({ uses, tolerant }: Declared): TableAtInit | undefined {
  return tolerant ? undefined : firstReadable(uses);
}
