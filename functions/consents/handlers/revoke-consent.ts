import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { readAgreement } from '../../agreements/exports.ts';
import { AgreementRequired } from '../errors.ts';
import { revokeConsent } from '../routes.ts';
import { type ConsentState, decideRevocation } from '../rules/consent.ts';
import { recordChange } from '../workflows/record-change.ts';

export const handler = serve(revokeConsent)(
  async ({ params, caller, account, application, now, requestId, tables, count, fail }) => {
    const { agreementId } = params;
    const found = await readAgreement(dynamo(), tables.Agreements, application, agreementId);
    if (!found) return fail(AgreementNotFound);
    if (found.agreement.isRequired) return fail(AgreementRequired);
    const { userId } = caller;
    const { ends } = await account();
    const written = () => count('revocations');
    const wanted = {
      userId,
      agreementId,
      now,
      after: ends.at(-1) ?? null,
      requestId,
      decide: (state: ConsentState | null) => decideRevocation(state, ends),
      written,
    };
    const at = await recordChange(dynamo(), tables, wanted);
    return { success: true, agreementId, agreed: false as const, revokedAt: at ?? now.toISOString() };
  },
);

await initialize(revokeConsent);
