import type { KMSClient } from '@aws-sdk/client-kms';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readCompact } from '../../lib/runtime/jws.ts';
import { publicKeyOf, signCompact } from '../../lib/runtime/sign.ts';
import type { ConsentRecord } from '../agreements/record.ts';
import { publishKey } from './key-store.ts';
import { claimsOf, receiptType } from './receipt.ts';
import { readContent, readStoredReceipt, type StoredReceipt, storeReceipt } from './receipt-store.ts';

export type Issuing = {
  readonly dynamo: DynamoDBDocumentClient;
  readonly kms: KMSClient;
  readonly tables: { readonly ConsentReceipts: string; readonly Agreements: string; readonly SigningKeys: string };
  readonly keyArn: string;
  readonly environment: string;
  readonly application: string;
  readonly realNow: Date;
};

/** The stored receipt is not one of the record that it is stored for: somebody changed one of the two. */
export class ReceiptMismatch extends Error {
  override readonly name = 'ReceiptMismatch';
}

/**
 * The one receipt of a record: signed when it is first asked for, then stored. Of two that ask at once the first one's is
 * everybody's.
 */
export async function issueReceipt(issuing: Issuing, record: ConsentRecord): Promise<StoredReceipt> {
  const { dynamo, kms, tables, keyArn, environment, application, realNow } = issuing;
  const stored = await readStoredReceipt(dynamo, tables.ConsentReceipts, record);
  if (stored) return checked(stored, record);
  // Before the first signature leaves the house, so that every receipt finds its key.
  await publishKey(dynamo, tables.SigningKeys, await publicKeyOf(kms, keyArn));
  const content = await readContent(dynamo, tables.Agreements, { application, ...record });
  const claims = claimsOf(record, { environment, application, issuedAt: realNow, content });
  const receipt = await signCompact(kms, keyArn, claims, receiptType);
  const made = { receiptId: record.recordId, issuedAt: realNow.toISOString(), receipt };
  if (await storeReceipt(dynamo, tables.ConsentReceipts, record, made)) return made;
  const first = await readStoredReceipt(dynamo, tables.ConsentReceipts, record);
  if (!first) throw new ReceiptMismatch();
  return checked(first, record);
}

function checked(stored: StoredReceipt, record: ConsentRecord): StoredReceipt {
  const signed = readCompact(stored.receipt)?.payload.record as { hash?: unknown } | undefined;
  if (signed?.hash !== record.hash) throw new ReceiptMismatch();
  return stored;
}
