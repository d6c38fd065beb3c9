import type { KMSClient } from '@aws-sdk/client-kms';
import type { Objects } from '../../../lib/runtime/objects.ts';
import { publicKeyOf, publicKeysOf, signCompact } from '../../../lib/runtime/sign.ts';
import { keyStatement, keyType } from '../rules/key-statement.ts';
import { isVouched, keyObject, putStatement } from '../stores/published-keys.ts';

export type Vouching = {
  readonly evidence: Objects;
  readonly kms: KMSClient;
  readonly environment: string;
  /** The vouching keys; the one that signs comes first. */
  readonly vouchingKeyArns: readonly [string, ...string[]];
  /** The keys that sign receipts, or did. */
  readonly receiptKeyArns: readonly string[];
};

/** The object under a key's name is something else, without a valid statement. */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';
}

/**
 * Stores a signed statement about each key that KMS has for receipts, where nobody can remove it. Repeatable.
 *
 * @returns how many statements are new
 * @throws a KeyMismatch if receipts signed with a key would not verify
 */
export async function vouchForKeys(vouching: Vouching): Promise<{ vouched: number }> {
  const { evidence, kms, environment, vouchingKeyArns, receiptKeyArns } = vouching;
  const vouchingKeys = await publicKeysOf(kms, vouchingKeyArns);
  const trust = { environment, vouchingKeys, receiptKeys: new Map(), revocationKeys: new Map() };
  let vouched = 0;
  for (const arn of receiptKeyArns) {
    const jwk = await publicKeyOf(kms, arn);
    if (await isVouched(evidence, trust, jwk)) continue;
    const statement = await signCompact(kms, vouchingKeyArns[0], keyStatement(environment, jwk), keyType);
    const isNew = await putStatement(evidence, keyObject(jwk.kid), statement);
    if (!isNew && !(await isVouched(evidence, trust, jwk))) throw new KeyMismatch();
    vouched += Number(isNew);
  }
  return { vouched };
}
