import { Unavailable } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { call } from '../../../lib/runtime/procedures.ts';
import { SignReceipt } from '../procedures.ts';
import type { StoredReceipt } from '../rules/stored-receipt.ts';
import type { Kept } from '../stores/receipt-rows.ts';
import { type Finding, findReceipt } from './issue-receipt.ts';

export type Asking = Finding & {
  /** The name of the function. */
  readonly signer: string;
};

/**
 * The one receipt of a record. At the first request a function without a route signs it: the role of this one must not be able to.
 *
 * @throws a ReceiptMismatch; an Error where the signer finds one; a Failure `UNAVAILABLE`
 */
export async function receiptOf(asking: Asking, { record }: Kept): Promise<StoredReceipt> {
  const stored = await findReceipt(asking, record);
  if (stored) return stored;
  const { userId, agreementId, recordedAt } = record;
  const { signed } = await call(asking.signer, SignReceipt, { userId, agreementId, recordedAt });
  // The record was deleted since it was read, or the agreement left the catalogue: the same request again is answered so.
  if (!signed) throw new Failure(Unavailable);
  return signed;
}
