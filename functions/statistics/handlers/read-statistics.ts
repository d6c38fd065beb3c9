import type { Application } from '../../../lib/contract/register.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { findAgreement } from '../../agreements/exports.ts';
import { isReconsentRequired, statusOf } from '../../agreements/rules.ts';
import { readStatistics } from '../routes.ts';
import { datesOf, endOf } from '../rules/period.ts';
import { seriesOf, standOf, sumOf } from '../rules/report.ts';
import { nothing } from '../rules/tally.ts';
import { readFigures } from '../stores/figures.ts';

export const handler = serve(readStatistics)(async ({ params, query, now, tables, fail }) => {
  const { agreementId } = params;
  const at = now.toISOString();
  const dates = datesOf(query, now);
  const [found, figures] = await Promise.all([
    findAgreement(tables.Agreements, agreementId),
    readFigures(tables.ConsentStatistics, agreementId, dates[0] ?? at.slice(0, 10)),
  ]);
  if (!found) return fail(AgreementNotFound);
  const { agreement, versions } = found;
  const all = versions.map((version) => {
    const { versionId, label, changeType } = version;
    const isDue = isReconsentRequired(versions, versionId, at);
    const stand = standOf(versionId, figures.totals.get(versionId) ?? nothing, isDue);
    return { ...stand, label, changeType, status: statusOf(version, versions, at) };
  });
  return {
    agreementId,
    application: agreement.application as Application,
    at,
    ...sumOf(all),
    versions: all,
    days: seriesOf(figures, dates, (versionId, date) => isReconsentRequired(versions, versionId, endOf(date, now))),
  };
});
