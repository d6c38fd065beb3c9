import { table } from '../../lib/contract/tables.ts';
import type { Action, Handle } from '../../lib/runtime/table-handle.ts';
import type { KeyRow } from './rules/once.ts';

/** What was made under an `Idempotency-Key`: written in the transaction that makes it. */
export const IdempotencyKeys = table<KeyRow>()('IdempotencyKeys', { partitionKey: 'keyId', expires: true });
export type IdempotencyKeys<A extends Action> = Handle<typeof IdempotencyKeys, A>;
