import { bucket } from '../../lib/contract/buckets.ts';

/** Checkpoints of the consent ledger; and what erasures leave, below prefixes of their own. */
export const Evidence = bucket('Evidence', { lock: 'retention' });
