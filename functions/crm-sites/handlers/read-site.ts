import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { SiteNotFound } from '../errors.ts';
import { readSite } from '../routes.ts';
import { readSite as read } from '../stores/sites.ts';

export const handler = serve(readSite)(async ({ params, tables, fail }) => {
  const site = await read(tables.Sites, params.siteId);
  return site ? { etag: etagOf(site.revision), body: site } : fail(SiteNotFound);
});
