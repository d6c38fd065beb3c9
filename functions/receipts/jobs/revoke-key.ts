import type { KMSClient } from '@aws-sdk/client-kms';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { publicKeysOf, signCompact } from '../../../lib/runtime/sign.ts';
import { revocationId, revocationStatement, revocationType } from '../rules/key-statement.ts';
import { putStatement, readKeys } from '../stores/public-keys.ts';

export type Revoking = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly kms: KMSClient;
  /** `PublicKeys`. */
  readonly table: string;
  readonly environment: string;
  /** The ledger's keys, the one that signs first, with the operator's own credentials. */
  readonly ledgerKeyArns: readonly [string, ...string[]];
  readonly now: Date;
};

/**
 * Marks a key as revoked, from a time on. The marker is a row beside the key's, which nobody takes away or changes.
 *
 * @throws an Error in one sentence: the key is none of ours, or was revoked before
 */
export async function revokeKey(revoking: Revoking, kid: string, revokedAt: Date): Promise<void> {
  const { dynamo, kms, table, environment, ledgerKeyArns, now } = revoking;
  const trust = { environment, ledgerKeys: await publicKeysOf(kms, ledgerKeyArns) };
  const key = (await readKeys(dynamo, table, trust)).find((one) => one.kid === kid);
  if (!key) throw new Error(`no key ${kid} that the ledger's key vouches for`);
  if (key.revokedAt !== null) throw new Error(`${kid} is revoked since ${key.revokedAt}`);
  const said = revocationStatement(environment, kid, revokedAt.toISOString());
  const statement = await signCompact(kms, ledgerKeyArns[0], said, revocationType);
  const row = { keyId: revocationId(kid), publishedAt: now.toISOString(), statement };
  if (!(await putStatement(dynamo, table, row))) throw new Error(`a marker of ${kid} is there that nobody has signed`);
}
