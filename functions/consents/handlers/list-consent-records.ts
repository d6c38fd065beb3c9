import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { readAgreement } from '../../agreements/exports.ts';
import { listConsentRecords } from '../routes.ts';
import { readRecords } from '../stores/consent-rows.ts';

export const handler = servePagesInSteps(
  listConsentRecords,
  lambdaWithClock,
)({
  read: ({ params: { agreementId }, page, caller: { userId }, account, application, tables }) => {
    const after = page.after ? String(page.after.recordedAt) : null;
    return Promise.all([
      readAgreement(tables.Agreements, application, agreementId),
      readRecords(tables.ConsentRecords, { userId, agreementId }, { limit: page.limit, after }),
      account(),
    ]);
  },
  answer: async ({ fail }, [found, { records, next }, { ends }]) => {
    if (!found) return fail(AgreementNotFound);
    return { items: records, next: next === null ? null : { recordedAt: next }, metadata: { ends: [...ends] } };
  },
});
