import { Conflict } from '../../../lib/contract/common-errors.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import { onceOf } from '../../idempotency/rules/once.ts';
import { AgreementNotFound } from '../errors.ts';
import { draftAgreementVersion } from '../routes.ts';
import { declared, named } from '../rules/audited-version.ts';
import { changeCatalogue, putVersion } from '../stores/catalogue-changes.ts';
import { findAgreement, readVersionName } from '../stores/catalogue-reader.ts';

export const handler = serve(draftAgreementVersion)(async (input) => {
  const { params, body, caller, application, requestId, tables, fail } = input;
  const once = onceOf(draftAgreementVersion, input, new Date());
  const { agreementId } = params;
  const place = { dynamo: dynamo(), tables };
  const found = await findAgreement(place.dynamo, tables.Agreements, agreementId);
  if (!found) return fail(AgreementNotFound);
  const owner = found.agreement.application;
  const draft = { ...body, agreementId, publishedAt: null, effectiveFrom: null, withdrawnAt: null };
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const drafted = { ...draft, status: 'draft' as const };
  return changeCatalogue(place, owner, occasion, async () => {
    const taken = await readVersionName(place.dynamo, tables.Agreements, body.versionId);
    // After the look at what is taken: it may be taken by the same request, just now.
    if (await recall(place.dynamo, tables.IdempotencyKeys, once)) return { result: drafted };
    if (taken) return { result: fail(Conflict) };
    const audit = {
      action: 'agreement-version.drafted',
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
});

await initialize(draftAgreementVersion);
