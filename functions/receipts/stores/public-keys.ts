import { type DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { isContention } from '../../../lib/runtime/failure.ts';
import { type PublicJwk, thumbprintOf } from '../../../lib/runtime/jws.ts';
import { queryAll } from '../../../lib/runtime/query-all.ts';
import { readSigned, type TrustedKeys } from '../../../lib/runtime/signed.ts';
import {
  isStatementOf,
  keyType,
  revocationId,
  revocationIn,
  revocationType,
  type VouchedKey,
} from '../rules/key-statement.ts';

/**
 * The public keys that receipts were ever signed with. A key is there before its first signature, and stays: the table is a
 * ledger, whose rows nobody changes. What is in it is trusted for the ledger's signature, and not for being there.
 */

const purpose = 'receipts';

export type KeyRow = {
  readonly keyId: string;
  readonly jwk?: PublicJwk;
  readonly publishedAt: string;
  /** A JWS by the ledger's key. */
  readonly statement?: string;
};

export type KeyTrust = { readonly environment: string; readonly ledgerKeys: TrustedKeys };

/** @returns false where a row is there already: whoever put it, it stays */
export async function putStatement(
  client: DynamoDBDocumentClient,
  table: string,
  row: KeyRow & { readonly statement: string },
): Promise<boolean> {
  const put = {
    TableName: table,
    Item: { purpose, ...row },
    ConditionExpression: 'attribute_not_exists(purpose)',
  };
  try {
    await client.send(new TransactWriteCommand({ TransactItems: [{ Put: put }] }));
    return true;
  } catch (error) {
    if (isContention(error)) return false;
    throw error;
  }
}

/** Whatever somebody put there. */
export function readKeyRows(client: DynamoDBDocumentClient, table: string): Promise<KeyRow[]> {
  return queryAll<KeyRow>(client, {
    TableName: table,
    KeyConditionExpression: 'purpose = :purpose',
    ExpressionAttributeValues: { ':purpose': purpose },
  });
}

/** Those that the ledger's key vouches for, oldest first. */
export async function readKeys(client: DynamoDBDocumentClient, table: string, trust: KeyTrust): Promise<VouchedKey[]> {
  const rows = await readKeyRows(client, table);
  return rows
    .toSorted((one, other) => (one.publishedAt < other.publishedAt ? -1 : 1))
    .flatMap((row) => vouchedKey(row, rows, trust) ?? []);
}

/** @returns null for what is no key, or one that nobody vouches for */
export function vouchedKey(row: KeyRow, rows: readonly KeyRow[], trust: KeyTrust): VouchedKey | null {
  const { environment, ledgerKeys } = trust;
  const { jwk, keyId, statement } = row;
  if (!jwk || jwk.kid !== keyId || thumbprintOf(jwk) !== keyId) return null;
  const said = readSigned(statement ?? '', keyType, ledgerKeys)?.payload ?? null;
  if (!isStatementOf(said, environment, jwk)) return null;
  const marker = rows.find((one) => one.keyId === revocationId(keyId));
  const revocation = readSigned(marker?.statement ?? '', revocationType, ledgerKeys)?.payload ?? null;
  return { ...jwk, revokedAt: revocationIn(revocation, environment, keyId) };
}
