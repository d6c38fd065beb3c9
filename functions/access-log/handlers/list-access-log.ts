import { isIdInRow } from '../../../lib/contract/id.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { readSiteSummaries } from '../../crm-sites/exports.ts';
import { listAccessLog } from '../routes.ts';
import { readLooks } from '../stores/looks.ts';

export const handler = serve(listAccessLog)(async ({ caller, page, tables }) => {
  const { looks, next } = await readLooks(tables.AccessLog, caller.userId, page);
  // Nobody can remove a look with a site that no key can have.
  const named = looks.flatMap(({ siteId }) => (isIdInRow(siteId) ? [siteId] : []));
  const sites = await readSiteSummaries(tables.Sites, named);
  return {
    items: looks.map(({ agreementId, consentRecordId: recordId, siteId, ...look }) => ({
      ...look,
      site: siteId === null ? null : (sites.get(siteId) ?? null),
      roles: [...look.roles],
      consent: agreementId === null || recordId === null ? null : { agreementId, recordId },
    })),
    next,
  };
});
