import { firstThatFit } from '../../../lib/runtime/page-size.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { applications } from '../../product.ts';
import { listCatalogue } from '../routes.ts';
import { type CataloguePosition, inCatalogueOrder, statusOf } from '../rules/catalogue.ts';
import { readCatalogue } from '../stores/catalogue-reader.ts';

export const handler = serveWithPrefetch(listCatalogue)({
  prefetch: ({ query, tables }) => {
    const wanted = applications.filter((application) => (query.application ?? application) === application);
    const catalogues = wanted.map(async (application) => {
      const catalogue = await readCatalogue(tables.Agreements, application);
      return catalogue.map(({ agreement, versions }) => ({ ...agreement, application, versions }));
    });
    return Promise.all(catalogues);
  },
  respond: async ({ page, now }, catalogues) => {
    const { limit, after } = page;
    const rest = catalogues
      .flat()
      .sort(inOrder)
      .filter((entry) => !after || inOrder(entry, { ...after, position: Number(after.position) }) > 0);
    const at = now.toISOString();
    const entries = rest.slice(0, limit + 1).map(({ versions, ...agreement }) => ({
      ...agreement,
      versions: versions.map((version) => ({ ...version, status: statusOf(version, versions, at) })),
    }));
    const items = firstThatFit(entries, limit);
    const last = items.at(-1);
    const hasMore = rest.length > items.length;
    return { items, next: last && hasMore ? { ...positionOf(last), position: String(last.position) } : null };
  },
});

type CursorPosition = CataloguePosition & { application: string };

/** A place in the catalogues, not an agreement. */
function positionOf({ application, position, agreementId }: CursorPosition): CursorPosition {
  return { application, position, agreementId };
}

function inOrder(a: CursorPosition, b: CursorPosition): number {
  const rank = ({ application }: CursorPosition) => (applications as readonly string[]).indexOf(application);
  return rank(a) - rank(b) || inCatalogueOrder(a, b);
}
