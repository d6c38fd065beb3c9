import { serve } from '../../../lib/runtime/serve.ts';
import { listOwnSites } from '../routes.ts';
import { readRelationPage } from '../stores/care-relations.ts';
import { readSiteSummaries } from '../stores/sites.ts';

export const handler = serve(listOwnSites)(async ({ caller, page, tables }) => {
  const { relations, next } = await readRelationPage(tables.CareRelations, caller.userId, page);
  const sites = await readSiteSummaries(
    tables.Sites,
    relations.map(({ siteId }) => siteId),
  );
  const items = relations.flatMap(({ siteId, since, isMain = false }) => {
    const site = sites.get(siteId);
    return site ? [{ siteId, name: site.name, timezone: site.timezone, since, main: isMain }] : [];
  });
  return { items, next };
});
