import { maxLimit } from '../../../lib/contract/collection.ts';
import { Conflict } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { agreementCreated } from '../audit-actions.ts';
import { AgreementLimitReached } from '../errors.ts';
import { createAgreement } from '../routes.ts';
import { type CatalogueChange, changeCatalogue, putAgreement } from '../stores/catalogue-changes.ts';
import { readAgreementName, readCatalogue, readRevision } from '../stores/catalogue-reader.ts';

export const handler = serveWithPrefetch(createAgreement)({
  prefetch: ({ body, tables }) => readRevision(tables.Agreements, body.application),
  respond: async (input, revision) => {
    const { body, caller, application, requestId, tables, fail } = input;
    const once = onceOf(createAgreement, input, new Date());
    const created = { ...body, versions: [] };
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const decide = async () => {
      const made = () => recall(tables.IdempotencyKeys, once);
      const [taken, catalogue, isMade] = await Promise.all([
        readAgreementName(tables.Agreements, body.agreementId),
        readCatalogue(tables.Agreements, body.application),
        made(),
      ]);
      // If the id is taken, the same request may have taken it a moment ago.
      if (isMade ?? (taken && (await made()))) return { result: created };
      if (taken) return { result: fail(Conflict) };
      // With this limit the list is one page, and a user's states are one Query.
      if (catalogue.length >= maxLimit) return { result: fail(AgreementLimitReached) };
      const subject = `agreement/${body.agreementId}`;
      const items: CatalogueChange['items'] = (table) => [
        ...putAgreement(body)(table),
        ...rememberedIn(tables.IdempotencyKeys, once, { agreementId: body.agreementId }),
      ];
      return {
        result: created,
        change: { items, audit: { action: agreementCreated, subject, before: null, after: body } },
      };
    };
    return changeCatalogue({ tables }, body.application, occasion, decide, revision);
  },
});
