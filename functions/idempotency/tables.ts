import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';

/** What was made under an `Idempotency-Key`: written in the transaction that makes it. */
export const IdempotencyKeys = table()('IdempotencyKeys', { partitionKey: 'keyId', expires: true });
export type IdempotencyKeys<A extends Action> = Handle<typeof IdempotencyKeys, A>;
