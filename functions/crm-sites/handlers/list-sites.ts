import { dynamo } from '../../../lib/runtime/clients.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listSites } from '../routes.ts';
import { readSites } from '../stores/sites.ts';

export const handler = servePages(
  listSites,
  lambdaWithClock,
)(async ({ page, tables }) => {
  const after = page.after ? String(page.after.siteId) : null;
  const { sites, next } = await readSites(dynamo(), tables.Sites, { limit: page.limit, after });
  return { items: sites, next: next === null ? null : { siteId: next } };
});

await initialize(listSites);
