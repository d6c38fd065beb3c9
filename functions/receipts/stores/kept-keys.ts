import type { SigningKey } from '../../../lib/contract/signing-keys.ts';
import { staleOnError } from '../../../lib/runtime/cached.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import { earlierKeysOf, readEnvironment } from '../../../lib/runtime/environment.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { s3 } from '../../../lib/runtime/s3.ts';
import { publicKeysOf } from '../../../lib/runtime/sign.ts';
import type { VouchedKey } from '../rules/key-statement.ts';
import { ReceiptKey, ResearchManifestKey, RevocationKey, VouchingKey } from '../signing-keys.ts';
import { type KeyTrust, readKeys } from './published-keys.ts';

/** After this time a function knows of a revocation. While the bucket cannot be reached, the last known keys are used. */
const keysMs = 10_000;

export type KeptKeys = {
  /** Our keys, as of some seconds ago. */
  readonly all: () => Promise<readonly VouchedKey[]>;
  /** The same; but a key that was not among them is read now. So a receipt verifies at once, whichever function signed it. */
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
      // A key that KMS does not have exists nowhere, so an invented `kid` costs no call.
      const { receiptKeys, manifestKeys } = await trust();
      return receiptKeys.has(kid) || manifestKeys.has(kid) ? load() : keys;
    },
  };
}

type KeyDependencies = {
  readonly buckets: { readonly Evidence: string };
  /** `ReceiptKey` and `ResearchManifestKey`: only where the keys of manifests are published or checked. */
  readonly signingKeys: {
    readonly ReceiptKey?: string;
    readonly VouchingKey: string;
    readonly RevocationKey: string;
    readonly ResearchManifestKey?: string;
  };
};

/** The keys that a function knows by its declaration: it reads each of them from KMS once in its life. */
export async function trustOf({ signingKeys }: KeyDependencies): Promise<KeyTrust> {
  const where = readEnvironment(process.env);
  const keysOf = (key: SigningKey<keyof KeyDependencies['signingKeys']>) => {
    const current = signingKeys[key.name];
    return publicKeysOf(kms(), current === undefined ? [] : [...earlierKeysOf(where, key), current]);
  };
  const [receiptKeys, manifestKeys, vouchingKeys, revocationKeys] = await Promise.all([
    keysOf(ReceiptKey),
    keysOf(ResearchManifestKey),
    keysOf(VouchingKey),
    keysOf(RevocationKey),
  ]);
  return { environment: where.environment, receiptKeys, manifestKeys, vouchingKeys, revocationKeys };
}

let kept: KeptKeys | undefined;

/** One for each function environment. */
export function keptKeys(deps: KeyDependencies): KeptKeys {
  kept ??= keepKeys({ s3: s3(), bucket: deps.buckets.Evidence }, () => trustOf(deps));
  return kept;
}
