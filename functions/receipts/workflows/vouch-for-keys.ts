import type { KMSClient } from '@aws-sdk/client-kms';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { publicKeyOf, publicKeysOf, signCompact } from '../../../lib/runtime/sign.ts';
import { keyStatement, keyType } from '../rules/key-statement.ts';
import { putStatement, readKeys } from '../stores/public-keys.ts';

export type Vouching = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly kms: KMSClient;
  /** `PublicKeys`. */
  readonly table: string;
  readonly environment: string;
  /** The ledger's keys, the one that signs first. */
  readonly ledgerKeyArns: readonly [string, ...string[]];
  /** Those that sign receipts, or did. */
  readonly receiptKeyArns: readonly string[];
  readonly now: () => Date;
};

/** Under a key's id something else was put, for which nobody vouches. */
export class KeyMismatch extends Error {
  override readonly name = 'KeyMismatch';
}

/**
 * Publishes the keys that KMS has for receipts, each with the ledger's signature. Repeatable.
 *
 * @returns how many are new
 * @throws a KeyMismatch where receipts signed with a key would not verify
 */
export async function vouchForKeys(vouching: Vouching): Promise<{ vouched: number }> {
  const { dynamo, kms, table, environment, ledgerKeyArns, receiptKeyArns, now } = vouching;
  const trust = { environment, ledgerKeys: await publicKeysOf(kms, ledgerKeyArns) };
  const known = new Set((await readKeys(dynamo, table, trust)).map(({ kid }) => kid));
  let vouched = 0;
  for (const arn of receiptKeyArns) {
    const jwk = await publicKeyOf(kms, arn);
    if (known.has(jwk.kid)) continue;
    const statement = await signCompact(kms, ledgerKeyArns[0], keyStatement(environment, jwk), keyType);
    const isNew = await putStatement(dynamo, table, {
      keyId: jwk.kid,
      jwk,
      publishedAt: now().toISOString(),
      statement,
    });
    const isThere = isNew || (await readKeys(dynamo, table, trust)).some(({ kid }) => kid === jwk.kid);
    if (!isThere) throw new KeyMismatch();
    vouched += Number(isNew);
  }
  return { vouched };
}
