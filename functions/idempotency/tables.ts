import { table } from '../../lib/contract/tables.ts';

/** What was made under an `Idempotency-Key`: written in the transaction that makes it. */
export const IdempotencyKeys = table('IdempotencyKeys', { partitionKey: 'keyId', expires: true });
