import { earlierKeysOf, readEnvironment } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { publicKeysOf } from '../../../lib/runtime/sign.ts';
import { LedgerKey } from '../../ledger/signing-keys.ts';

/** Who vouches for receipts' keys: asked of KMS once in each function environment, and of no table. */
export function ledgerKeysOf({ LedgerKey: current }: { readonly LedgerKey: string }) {
  const earlier = earlierKeysOf(readEnvironment(process.env), LedgerKey);
  return () => publicKeysOf(kms(), [current, ...earlier]);
}
