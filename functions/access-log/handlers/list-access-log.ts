import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { readSiteNames } from '../../crm-sites/exports.ts';
import { listAccessLog } from '../routes.ts';
import { readLooks } from '../stores/looks.ts';

export const handler = servePages(
  listAccessLog,
  lambdaWithClock,
)(async ({ caller, page, tables }) => {
  const after = page.after ? String(page.after.lookId) : null;
  const { looks, next } = await readLooks(tables.AccessLog, caller.userId, { limit: page.limit, after });
  const named = looks.flatMap(({ siteId }) => (siteId === null ? [] : [siteId]));
  const sites = await readSiteNames(tables.Sites, named);
  return {
    items: looks.map(({ agreementId, consentRecordId: recordId, siteId, ...look }) => ({
      ...look,
      site: siteId === null ? null : (sites.get(siteId) ?? null),
      roles: [...look.roles],
      consent: agreementId === null || recordId === null ? null : { agreementId, recordId },
    })),
    next: next === null ? null : { lookId: next },
  };
});
