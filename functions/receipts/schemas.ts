import * as z from 'zod/mini';
import { readBelow } from '../../lib/contract/bucket-uses.ts';
import { Timestamp } from '../../lib/contract/fields.ts';
import { verifyWith } from '../../lib/contract/uses.ts';
import { Evidence } from '../evidence/buckets.ts';
import { keysPrefix, revocationsPrefix } from './buckets.ts';
import { RevocationKey, VouchingKey } from './signing-keys.ts';

/** What a function uses that asks which keys are ours, and which of them are revoked. */
export const knowingKeys = [
  verifyWith(VouchingKey),
  verifyWith(RevocationKey),
  readBelow(Evidence, keysPrefix),
  readBelow(Evidence, revocationsPrefix),
] as const;

export const ReceiptWarning = z.object({ code: z.enum(['KEY_REVOKED']), since: Timestamp });
