import type { Application } from '../../../lib/contract/register.ts';
import { cached } from '../../../lib/runtime/cached.ts';
import { tableIn } from '../../../lib/runtime/clients.ts';
import { elapsedMs } from '../../../lib/runtime/elapsed.ts';
import type { InitOptions } from '../../../lib/runtime/initialize.ts';
import { chooseLanguage } from '../../../lib/runtime/language.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { catalogueMs, readCatalogue } from '../../agreements/exports.ts';
import { type AgreementWithVersions, type CataloguePosition, inCatalogueOrder } from '../../agreements/rules.ts';
import { Agreements } from '../../agreements/tables.ts';
import { listAgreements } from '../routes.ts';
import { agreementItems, etagOfPage } from '../rules/agreement-item.ts';
import { readStates } from '../stores/consent-rows.ts';

let catalogue: (() => Promise<AgreementWithVersions[]>) | undefined;

function readCached(table: Agreements<'query'>, application: Application): Promise<AgreementWithVersions[]> {
  catalogue ??= cached(() => readCatalogue(table, application), catalogueMs, elapsedMs);
  return catalogue();
}

export const handler = serveWithPrefetch(listAgreements)({
  prefetch: ({ caller, account, application, tables }) =>
    Promise.all([
      readCached(tables.Agreements, application),
      readStates(tables.ConsentStates, caller.userId),
      account(),
    ]),
  respond: async ({ query, headers, page, caller, now }, [known, states, { ends }]) => {
    const items = agreementItems(known, { states, ends }, now.toISOString(), (version) =>
      chooseLanguage(Object.keys(version.locales), version.defaultLocale, query.locale, headers['accept-language']),
    );
    const { after, limit } = page;
    const rest = after ? items.filter((item) => inCatalogueOrder(item, positionOf(after)) > 0) : items;
    const shown = rest.slice(0, limit);
    const last = shown.at(-1);
    const next =
      last && rest.length > limit ? { position: String(last.position), agreementId: last.agreementId } : null;
    const etag = etagOfPage({ userId: caller.userId, limit, items: shown, hasMore: next !== null });
    return { etag, body: { items: shown, next } };
  },
});

/** The cursor is a place in the catalogue. It is no item, because an item may have left the list in the meantime. */
function positionOf({ position, agreementId }: { position: string; agreementId: string }): CataloguePosition {
  return { position: Number(position), agreementId };
}

/** What the function reads while Lambda initializes it. */
export const atInit: InitOptions = {
  read: (where) => readCached(tableIn(where.variables, Agreements), where.application),
};
