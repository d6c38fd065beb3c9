import { dynamo } from '../../../lib/runtime/clients.ts';
import { kms } from '../../../lib/runtime/kms.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { hasAgreement } from '../../agreements/exports.ts';
import { ConsentNotFound } from '../errors.ts';
import { readReceipt } from '../routes.ts';
import { keptKeys } from '../stores/kept-keys.ts';
import { readLatestRecord } from '../stores/receipt-rows.ts';
import { issueReceipt } from '../workflows/issue-receipt.ts';

export const handler = serveInSteps(readReceipt)({
  read: ({ params: { agreementId }, caller: { userId }, application, tables }) =>
    Promise.all([
      hasAgreement(dynamo(), tables.Agreements, application, agreementId),
      readLatestRecord(dynamo(), tables.ConsentRecords, { userId, agreementId }),
    ]),
  answer: async (input, [isThere, kept]) => {
    const { params, application, environment, tables, signingKeys, fail } = input;
    const { agreementId } = params;
    if (!isThere) return fail(AgreementNotFound);
    if (!kept) return fail(ConsentNotFound);
    const keys = { keyArn: signingKeys.ReceiptKey, keys: keptKeys(input).including };
    const issuing = { dynamo: dynamo(), kms: kms(), tables, ...keys, environment, application };
    const { receiptId, issuedAt, receipt } = await issueReceipt({ ...issuing, realNow: new Date() }, kept);
    return { receiptId, issuedAt, receipt, agreementId, record: kept.record };
  },
});
