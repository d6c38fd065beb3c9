import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { hasAgreement } from '../../agreements/exports.ts';
import { ConsentNotFound } from '../errors.ts';
import { readReceipt } from '../routes.ts';
import { keptKeys } from '../stores/kept-keys.ts';
import { readLatestRecord } from '../stores/receipt-rows.ts';
import { receiptOf } from '../workflows/receipt-of.ts';

export const handler = serveWithPrefetch(readReceipt)({
  prefetch: ({ params: { agreementId }, caller: { userId }, application, tables }) =>
    Promise.all([
      hasAgreement(tables.Agreements, application, agreementId),
      readLatestRecord(tables.ConsentRecords, { userId, agreementId }),
    ]),
  respond: async (input, [isThere, kept]) => {
    const { params, application, environment, tables, procedures, fail } = input;
    const { agreementId } = params;
    if (!isThere) return fail(AgreementNotFound);
    if (!kept) return fail(ConsentNotFound);
    const keys = keptKeys(input).including;
    const asking = { tables, signer: procedures.SignReceipt, keys, environment, application };
    const { receiptId, issuedAt, receipt } = await receiptOf({ ...asking, realNow: new Date() }, kept);
    return { receiptId, issuedAt, receipt, agreementId, record: kept.record };
  },
});
