import { Conflict } from '../../../lib/contract/common-errors.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { agreementVersionDrafted } from '../audit-actions.ts';
import { AgreementNotFound } from '../errors.ts';
import { draftAgreementVersion } from '../routes.ts';
import { declared, named } from '../rules/audited-version.ts';
import { changeCatalogue, putVersion } from '../stores/catalogue-changes.ts';
import { readAgreementName, readVersionName } from '../stores/catalogue-reader.ts';

export const handler = serveInSteps(draftAgreementVersion)({
  read: ({ params, tables }) => readAgreementName(dynamo(), tables.Agreements, params.agreementId),
  answer: async (input, name) => {
    const { params, body, caller, application, requestId, tables, fail } = input;
    const once = onceOf(draftAgreementVersion, input, new Date());
    const { agreementId } = params;
    const place = { dynamo: dynamo(), tables };
    if (!name) return fail(AgreementNotFound);
    const { owner } = name;
    const draft = { ...body, agreementId, publishedAt: null, effectiveFrom: null, withdrawnAt: null };
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const drafted = { ...draft, status: 'draft' as const };
    return changeCatalogue(place, owner, occasion, async () => {
      const made = () => recall(place.dynamo, tables.IdempotencyKeys, once);
      const [taken, isMade] = await Promise.all([
        readVersionName(place.dynamo, tables.Agreements, body.versionId),
        made(),
      ]);
      // If the id is taken, the same request may have taken it a moment ago.
      if (isMade ?? (taken && (await made()))) return { result: drafted };
      if (taken) return { result: fail(Conflict) };
      const audit = {
        action: agreementVersionDrafted,
        subject: named(draft),
        before: null,
        after: declared(draft),
      };
      const items = (table: string) => [
        ...putVersion(owner, draft)(table),
        ...rememberedIn(tables.IdempotencyKeys, once, { versionId: body.versionId }),
      ];
      return { result: drafted, change: { items, audit } };
    });
  },
});
