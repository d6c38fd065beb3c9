import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { SiteNotFound } from '../errors.ts';
import { listSiteStaff } from '../routes.ts';
import { readStaffPage } from '../stores/site-staff.ts';
import { readSite } from '../stores/sites.ts';

export const handler = servePages(
  listSiteStaff,
  lambdaWithAccess,
)(async ({ params, page, tables, fail }) => {
  const after = page.after ? String(page.after.userId) : null;
  const [site, { staff, next }] = await Promise.all([
    readSite(tables.Sites, params.siteId),
    readStaffPage(tables, params.siteId, { limit: page.limit, after }),
  ]);
  return site ? { items: staff, next: next === null ? null : { userId: next } } : fail(SiteNotFound);
});
