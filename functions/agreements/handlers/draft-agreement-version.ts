import { Conflict } from '../../../lib/contract/common-errors.ts';
import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../errors.ts';
import { draftAgreementVersion } from '../routes.ts';
import { declared, named } from '../rules/audited-version.ts';
import { changeCatalogue, putVersion } from '../stores/catalogue-changes.ts';
import { findAgreement, readVersionName } from '../stores/catalogue-reader.ts';

export const handler = serve(draftAgreementVersion)(
  async ({ params, body, caller, application, requestId, tables, fail }) => {
    const { agreementId } = params;
    const place = { dynamo: dynamo(), tables };
    const found = await findAgreement(place.dynamo, tables.Agreements, agreementId);
    if (!found) return fail(AgreementNotFound);
    const owner = found.agreement.application;
    const draft = { ...body, agreementId, publishedAt: null, effectiveFrom: null, withdrawnAt: null };
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    return changeCatalogue(place, owner, occasion, async () => {
      if (await readVersionName(place.dynamo, tables.Agreements, body.versionId)) return { result: fail(Conflict) };
      const audit = {
        action: 'agreement-version.drafted',
        subject: named(draft),
        before: null,
        after: declared(draft),
      };
      return { result: { ...draft, status: 'draft' as const }, change: { items: putVersion(owner, draft), audit } };
    });
  },
);

await initialize(draftAgreementVersion);
