import { serve } from '../../../lib/runtime/serve.ts';
import { SiteNotFound } from '../errors.ts';
import { chooseMainSite } from '../routes.ts';
import { readSiteSummaries } from '../stores/sites.ts';
import { chooseMain } from '../workflows/relations.ts';

export const handler = serve(chooseMainSite)(async ({ params: { siteId }, body, caller: { userId }, tables, fail }) => {
  const wanted = { userId, siteId, isMain: body.main, realNow: new Date() };
  const [relation, sites] = await Promise.all([chooseMain(tables, wanted), readSiteSummaries(tables.Sites, [siteId])]);
  const site = sites.get(siteId);
  if (!relation || !site) return fail(SiteNotFound);
  return { siteId, name: site.name, timezone: site.timezone, since: relation.since, main: body.main };
});
