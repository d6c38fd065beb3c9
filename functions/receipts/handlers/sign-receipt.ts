import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { performing } from '../../../lib/runtime/perform.ts';
import { hasAgreement } from '../../agreements/exports.ts';
import { signReceipt } from '../consumers.ts';
import { keptKeys } from '../stores/kept-keys.ts';
import { readRecordKept } from '../stores/receipt-rows.ts';
import { issueReceipt } from '../workflows/issue-receipt.ts';

export const handler = performing(signReceipt)(async (named, bindings) => {
  const { tables, signingKeys, where } = bindings;
  // Otherwise it would sign, for good, that another application asked for the consent.
  const [isOwn, kept] = await Promise.all([
    hasAgreement(tables.Agreements, where.application, named.agreementId),
    readRecordKept(tables.ConsentRecords, named),
  ]);
  if (!isOwn || !kept) return { signed: null };
  const keys = { keyArn: signingKeys.ReceiptKey, keys: keptKeys(bindings).including };
  const issuing = { kms: kms(), tables, ...keys, ...where, realNow: new Date() };
  const { receiptId, issuedAt, receipt } = await whileOpen({ table: tables.Accounts, userId: named.userId }, () =>
    issueReceipt(issuing, kept),
  );
  return { signed: { receiptId, issuedAt, receipt } };
});
