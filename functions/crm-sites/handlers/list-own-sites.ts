import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listOwnSites } from '../routes.ts';
import { readRelationPage } from '../stores/care-relations.ts';
import { readSiteNames } from '../stores/sites.ts';

export const handler = servePages(
  listOwnSites,
  lambdaWithClock,
)(async ({ caller, page, tables }) => {
  const after = page.after ? String(page.after.siteId) : null;
  const { limit } = page;
  const { relations, next } = await readRelationPage(tables.CareRelations, caller.userId, { limit, after });
  const sites = await readSiteNames(
    tables.Sites,
    relations.map(({ siteId }) => siteId),
  );
  const items = relations.flatMap(({ siteId, since, isMain = false }) => {
    const site = sites.get(siteId);
    return site ? [{ siteId, name: site.name, timezone: site.timezone, since, main: isMain }] : [];
  });
  return { items, next: next === null ? null : { siteId: next } };
});
