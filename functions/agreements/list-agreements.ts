import { dynamo } from '../../lib/runtime/clients.ts';
import { chooseLanguage } from '../../lib/runtime/language.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { keptCatalogue, readCatalogue } from './catalogue-store.ts';
import { readStates } from './consent-store.ts';
import { agreementItems } from './item.ts';
import { listAgreements } from './routes.ts';

let catalogue: ReturnType<typeof keptCatalogue> | undefined;

export const handler = serve(listAgreements)(async ({ query, headers, page, caller, application, now, tables }) => {
  catalogue ??= keptCatalogue(
    () => readCatalogue(dynamo(), tables.Agreements, application),
    performance.now.bind(performance),
  );
  const [known, states] = await Promise.all([catalogue(), readStates(dynamo(), tables.ConsentStates, caller.userId)]);
  const items = agreementItems(known, states, now.toISOString(), (version) =>
    chooseLanguage(Object.keys(version.locales), version.defaultLocale, query.locale, headers['accept-language']),
  );
  const from = page.after ? items.findIndex(({ agreementId }) => agreementId === page.after?.agreementId) + 1 : 0;
  const shown = items.slice(from, from + page.limit);
  const last = shown.at(-1);
  return { items: shown, next: last && from + page.limit < items.length ? { agreementId: last.agreementId } : null };
});
