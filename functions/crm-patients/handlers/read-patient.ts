import { serve } from '../../../lib/runtime/serve.ts';
import { readSiteSummaries } from '../../crm-sites/exports.ts';
import { dataSharing } from '../../product.ts';
import { readProfile } from '../../users/exports.ts';
import { readPatient } from '../routes.ts';
import { readSummary } from '../workflows/read-summary.ts';

export const handler = serve(readPatient)(async ({ params: { userId }, dataSubject, now, tables }) => {
  const { sites, consent } = dataSubject;
  const ids = sites.map(({ siteId }) => siteId);
  const [profile, names, summary] = await Promise.all([
    readProfile(tables.Users, userId),
    readSiteSummaries(tables.Sites, ids),
    readSummary(tables, { userId, now }),
  ]);
  const { email = null, locale = null, timezone = null } = profile ?? {};
  return {
    userId,
    profile: { email, locale, timezone },
    sites: sites.map(({ siteId, since }) => ({ siteId, name: names.get(siteId)?.name ?? '', since })),
    consent: {
      agreementId: dataSharing,
      versionId: consent.versionId,
      recordId: consent.recordId,
      agreedAt: consent.recordedAt,
    },
    ...summary,
  };
});
