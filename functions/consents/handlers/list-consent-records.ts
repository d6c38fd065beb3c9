import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { readAgreement } from '../../agreements/exports.ts';
import { listConsentRecords } from '../routes.ts';
import { readRecords } from '../stores/consent-rows.ts';

export const handler = serveWithPrefetch(listConsentRecords)({
  prefetch: ({ params: { agreementId }, page, caller: { userId }, account, application, tables }) => {
    return Promise.all([
      readAgreement(tables.Agreements, application, agreementId),
      readRecords(tables.ConsentRecords, { userId, agreementId }, page),
      account(),
    ]);
  },
  respond: async ({ fail }, [found, { records, next }, { ends }]) => {
    if (!found) return fail(AgreementNotFound);
    return { items: records, next, metadata: { ends: [...ends] } };
  },
});
