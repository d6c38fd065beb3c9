import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { readAgreement } from '../../agreements/exports.ts';
import { listConsentRecords } from '../routes.ts';
import { readRecords } from '../stores/consent-rows.ts';

export const handler = servePages(
  listConsentRecords,
  lambdaWithClock,
)(async ({ params, page, caller, account, application, tables, fail }) => {
  const { agreementId } = params;
  const found = await readAgreement(dynamo(), tables.Agreements, application, agreementId);
  if (!found) return fail(AgreementNotFound);
  const after = page.after ? String(page.after.recordedAt) : null;
  const owner = { userId: caller.userId, agreementId };
  const [{ records, next }, { ends }] = await Promise.all([
    readRecords(dynamo(), tables.ConsentRecords, owner, { limit: page.limit, after }),
    account(),
  ]);
  return { items: records, next: next === null ? null : { recordedAt: next }, metadata: { ends: [...ends] } };
});

await initialize(listConsentRecords);
