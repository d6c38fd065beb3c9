import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { hasAgreement } from '../../agreements/exports.ts';
import { listConsentRecords } from '../routes.ts';
import { readRecords } from '../stores/consent-rows.ts';

export const handler = serveWithPrefetch(listConsentRecords)({
  prefetch: ({ params: { agreementId }, page, caller: { userId }, account, application, tables }) => {
    return Promise.all([
      hasAgreement(tables.Agreements, application, agreementId),
      readRecords(tables.ConsentRecords, { userId, agreementId }, page),
      account(),
    ]);
  },
  respond: async ({ fail }, [isThere, { records, next }, { ends }]) => {
    if (!isThere) return fail(AgreementNotFound);
    return { items: records, next, metadata: { ends: [...ends] } };
  },
});
