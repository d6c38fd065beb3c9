import type { KMSClient } from '@aws-sdk/client-kms';
import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { publicKeyOf } from '../../../lib/runtime/sign.ts';
import type { VouchedKey } from '../rules/key-statement.ts';

export type Signer = {
  readonly kms: KMSClient;
  readonly keyArn: string;
  /** Our keys; the key with this id is read now. */
  readonly keys: (kid: string) => Promise<readonly VouchedKey[]>;
};

/** The key is revoked: nothing new is signed with it. */
export class KeyRevoked extends Error {
  override readonly name = 'KeyRevoked';
}

/**
 * Asked before something is signed, so that a verifier finds the key of every signature.
 *
 * @throws a KeyRevoked; a Failure `UNAVAILABLE` for a new key: within a minute there is a statement about it
 */
export async function assertMaySign({ kms, keyArn, keys }: Signer): Promise<void> {
  const { kid } = await publicKeyOf(kms, keyArn);
  const key = (await keys(kid)).find((one) => one.kid === kid);
  if (!key) throw new Failure(Unavailable);
  if (key.revokedAt !== null) throw new KeyRevoked();
}
