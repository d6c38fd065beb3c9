import { Conflict } from '../../../lib/contract/common-errors.ts';
import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { agreementVersionDrafted } from '../audit-actions.ts';
import { AgreementNotFound } from '../errors.ts';
import { draftAgreementVersion } from '../routes.ts';
import { declared, named } from '../rules/audited-version.ts';
import { type CatalogueChange, changeCatalogue, putVersion } from '../stores/catalogue-changes.ts';
import { readAgreementName, readVersionName } from '../stores/catalogue-reader.ts';

export const handler = serveWithPrefetch(draftAgreementVersion)({
  prefetch: ({ params, tables }) => readAgreementName(tables.Agreements, params.agreementId),
  respond: async (input, name) => {
    const { params, body, caller, application, requestId, tables, fail } = input;
    const once = onceOf(draftAgreementVersion, input, new Date());
    const { agreementId } = params;
    if (!name) return fail(AgreementNotFound);
    const { owner } = name;
    const draft = { ...body, agreementId, publishedAt: null, effectiveFrom: null, withdrawnAt: null };
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const drafted = { ...draft, status: 'draft' as const };
    return changeCatalogue({ tables }, owner, occasion, async () => {
      const made = () => recall(tables.IdempotencyKeys, once);
      const [taken, isMade] = await Promise.all([readVersionName(tables.Agreements, body.versionId), made()]);
      // If the id is taken, the same request may have taken it a moment ago.
      if (isMade ?? (taken && (await made()))) return { result: drafted };
      if (taken) return { result: fail(Conflict) };
      const audit = {
        action: agreementVersionDrafted,
        subject: named(draft),
        before: null,
        after: declared(draft),
      };
      const items: CatalogueChange['items'] = (table) => [
        ...putVersion(owner, draft)(table),
        ...rememberedIn(tables.IdempotencyKeys, once, { versionId: body.versionId }),
      ];
      return { result: drafted, change: { items, audit } };
    });
  },
});
