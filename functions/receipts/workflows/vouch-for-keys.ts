import type { KMSClient } from '@aws-sdk/client-kms';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { publicKeyOf, publicKeysOf, signCompact } from '../../../lib/runtime/sign.ts';
import { keyStatement, keyType } from '../rules/key-statement.ts';
import { manifestType, receiptType } from '../rules/signed-types.ts';
import { isVouched, keyObject, putStatement } from '../stores/published-keys.ts';

export type Vouching = {
  readonly evidence: Objects;
  readonly kms: KMSClient;
  readonly environment: string;
  /** The vouching keys; the one that signs comes first. */
  readonly vouchingKeyArns: readonly [string, ...string[]];
  /** The keys that sign receipts, or did. */
  readonly receiptKeyArns: readonly string[];
  /** The same for manifests. */
  readonly manifestKeyArns: readonly string[];
};

/** The object under a key's name is something else, without a valid statement. */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';
}

/**
 * Stores a signed statement about each key that KMS has for receipts and manifests, where nobody can remove it. Repeatable.
 *
 * @returns how many statements are new
 * @throws a KeyMismatch if receipts or manifests signed with a key would not verify
 */
export async function vouchForKeys(vouching: Vouching): Promise<{ vouched: number }> {
  const { evidence, kms, environment, vouchingKeyArns, receiptKeyArns, manifestKeyArns } = vouching;
  const vouchingKeys = await publicKeysOf(kms, vouchingKeyArns);
  const vouchers = { environment, vouchingKeys };
  const signers = [
    ...receiptKeyArns.map((arn) => ({ arn, signs: receiptType }) as const),
    ...manifestKeyArns.map((arn) => ({ arn, signs: manifestType }) as const),
  ];
  let vouched = 0;
  for (const { arn, signs } of signers) {
    const jwk = await publicKeyOf(kms, arn);
    if (await isVouched(evidence, vouchers, jwk, signs)) continue;
    const statement = await signCompact(kms, vouchingKeyArns[0], keyStatement(environment, jwk, signs), keyType);
    const isNew = await putStatement(evidence, keyObject(jwk.kid), statement);
    if (!isNew && !(await isVouched(evidence, vouchers, jwk, signs))) throw new KeyMismatch();
    vouched += Number(isNew);
  }
  return { vouched };
}
