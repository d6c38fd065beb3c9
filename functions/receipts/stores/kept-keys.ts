import { staleOnError } from '../../../lib/runtime/cached.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { earlierKeysOf, readEnvironment } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { publicKeysOf } from '../../../lib/runtime/sign.ts';
import type { VouchedKey } from '../rules/key-statement.ts';
import { ReceiptKey, RevocationKey, VouchingKey } from '../signing-keys.ts';
import { type KeyTrust, readKeys } from './published-keys.ts';

/** A revocation is known after so long; while the bucket cannot be reached, what was known last stands in. */
const keysMs = 10_000;

export type KeptKeys = {
  /** The keys of ours, as of some seconds ago. */
  readonly all: () => Promise<readonly VouchedKey[]>;
  /** The same, and of a key that was not among them as of now: so a receipt verifies at once, whichever function signed it. */
  readonly including: (kid: string) => Promise<readonly VouchedKey[]>;
};

export function keepKeys(evidence: Objects, trust: () => Promise<KeyTrust>, elapsed = elapsedMs): KeptKeys {
  const load = async () => readKeys(evidence, await trust());
  const lastKnown = staleOnError(load, keysMs, elapsed);
  const all = async () => {
    const { value, error } = await lastKnown();
    if (!value) throw error;
    return value;
  };
  return {
    all,
    including: async (kid) => {
      const keys = await all();
      if (keys.some((key) => key.kid === kid)) return keys;
      // What KMS has not is nowhere: nobody's inventions cost a call.
      return (await trust()).receiptKeys.has(kid) ? load() : keys;
    },
  };
}

type Reach = {
  readonly buckets: { readonly Evidence: string };
  readonly signingKeys: { readonly ReceiptKey: string; readonly VouchingKey: string; readonly RevocationKey: string };
};

/** What a function knows of keys by its declaration: of KMS it asks each of them once in its life. */
export async function trustOf({ signingKeys }: Reach): Promise<KeyTrust> {
  const where = readEnvironment(process.env);
  const [receiptKeys, vouchingKeys, revocationKeys] = await Promise.all(
    [ReceiptKey, VouchingKey, RevocationKey].map((key) =>
      publicKeysOf(kms(), [...earlierKeysOf(where, key), signingKeys[key.name]]),
    ),
  );
  if (!receiptKeys || !vouchingKeys || !revocationKeys) throw new Error('three kinds of keys were asked for');
  return { environment: where.environment, receiptKeys, vouchingKeys, revocationKeys };
}

let kept: KeptKeys | undefined;

/** One for each function environment. */
export function keptKeys(reach: Reach): KeptKeys {
  kept ??= keepKeys({ s3: s3(), bucket: reach.buckets.Evidence }, () => trustOf(reach));
  return kept;
}
