import type { Position } from '../../../lib/contract/collection.ts';
import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { firstThatFit } from '../../../lib/runtime/page-size.ts';
import { servePagesInSteps } from '../../../lib/runtime/serve-pages.ts';
import { applications } from '../../product.ts';
import { listCatalogue } from '../routes.ts';
import { type CataloguePlace, inCatalogueOrder, statusOf } from '../rules/catalogue.ts';
import { readCatalogue } from '../stores/catalogue-reader.ts';

export const handler = servePagesInSteps(
  listCatalogue,
  lambdaWithClock,
)({
  read: ({ query, tables }) => {
    const wanted = applications.filter((application) => (query.application ?? application) === application);
    const catalogues = wanted.map(async (application) => {
      const catalogue = await readCatalogue(tables.Agreements, application);
      return catalogue.map(({ agreement, versions }) => ({ ...agreement, application, versions }));
    });
    return Promise.all(catalogues);
  },
  answer: async ({ page, now }, catalogues) => {
    const { limit, after } = page;
    const rest = catalogues
      .flat()
      .sort(inOrder)
      .filter((entry) => !after || inOrder(entry, placeOf(after)) > 0);
    const at = now.toISOString();
    const entries = rest.slice(0, limit + 1).map(({ versions, ...agreement }) => ({
      ...agreement,
      versions: versions.map((version) => ({ ...version, status: statusOf(version, versions, at) })),
    }));
    const items = firstThatFit(entries, limit);
    const last = items.at(-1);
    return {
      items,
      next: last && rest.length > items.length ? placeOf(last) : null,
    };
  },
});

type Place = CataloguePlace & { application: string };

/** A place in the catalogues, not an agreement. */
function placeOf({ application, position, agreementId }: Place | Position): Place {
  return { application: String(application), position: Number(position), agreementId: String(agreementId) };
}

function inOrder(a: Place, b: Place): number {
  const rank = ({ application }: Place) => (applications as readonly string[]).indexOf(application);
  return rank(a) - rank(b) || inCatalogueOrder(a, b);
}
