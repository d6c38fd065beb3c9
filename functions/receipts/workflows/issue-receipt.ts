import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { signCompact } from '../../../lib/runtime/sign.ts';
import type { ConsentRecord } from '../../access/consent-states.ts';
import type { Agreements } from '../../agreements/tables.ts';
import { hashOf } from '../../consents/rules.ts';
import { claimsOf } from '../rules/receipt.ts';
import { receiptType } from '../rules/signed-types.ts';
import type { StoredReceipt } from '../rules/stored-receipt.ts';
import { isReceiptOf } from '../stores/receipt-check.ts';
import { type Kept, readContent, readStoredReceipt, storeReceipt } from '../stores/receipt-rows.ts';
import { assertMaySign, type Signer } from '../stores/signer-check.ts';
import type { ConsentReceipts } from '../tables.ts';

export type Issuing = Signer & {
  readonly tables: {
    readonly ConsentReceipts: ConsentReceipts<'get' | 'put'>;
    readonly Agreements: Agreements<'get'>;
  };
  readonly environment: string;
  readonly application: string;
  readonly realNow: Date;
};

/** The record does not match its hash, or the stored receipt does not match the record: somebody changed one of the two. */
export class ReceiptMismatch extends Error {
  override readonly name = 'ReceiptMismatch';
}

/**
 * The one receipt of a record: signed at the first request, then stored. Of two requests at once, both get the receipt
 * that was stored first.
 *
 * @throws a ReceiptMismatch; a changed record is not signed
 */
export async function issueReceipt(issuing: Issuing, kept: Kept): Promise<StoredReceipt> {
  const { kms, tables, keyArn, environment, application, realNow } = issuing;
  const { record } = kept;
  const stored = await findReceipt(issuing, record);
  if (stored) return stored;
  const [content] = await Promise.all([
    readContent(tables.Agreements, { ...record, application }),
    assertMaySign(issuing),
  ]);
  const claims = claimsOf(record, { environment, application, issuedAt: realNow, content });
  const receipt = await signCompact(kms, keyArn, claims, receiptType);
  const made = { receiptId: record.recordId, issuedAt: realNow.toISOString(), receipt };
  // The record is about to be deleted, and no row may outlive it.
  if (kept.expiresAt !== null) return made;
  return retryOnContention(async () => {
    if (await storeReceipt(tables.ConsentReceipts, record, made)) return made;
    return (await findReceipt(issuing, record)) ?? contended;
  });
}

export type Finding = Pick<Issuing, 'environment' | 'keys' | 'realNow'> & {
  readonly tables: { readonly ConsentReceipts: ConsentReceipts<'get'> };
  readonly application: string | null;
};

/** The existing receipt of a record. @throws a ReceiptMismatch */
export async function findReceipt(finding: Finding, record: ConsentRecord): Promise<StoredReceipt | null> {
  if (hashOf(record) !== record.hash) throw new ReceiptMismatch();
  const stored = await readStoredReceipt(finding.tables.ConsentReceipts, record);
  if (stored && !(await isReceiptOf(finding, stored, record))) throw new ReceiptMismatch();
  return stored;
}
