import { serve } from '../../../lib/runtime/serve.ts';
import { SiteNotFound } from '../errors.ts';
import { listSiteStaff } from '../routes.ts';
import { readStaffPage } from '../stores/site-staff.ts';
import { readSite } from '../stores/sites.ts';

export const handler = serve(listSiteStaff)(async ({ params, page, tables, fail }) => {
  const [site, { staff, next }] = await Promise.all([
    readSite(tables.Sites, params.siteId),
    readStaffPage(tables, params.siteId, page),
  ]);
  return site ? { items: staff, next } : fail(SiteNotFound);
});
