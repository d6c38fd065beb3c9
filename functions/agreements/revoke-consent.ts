import { dynamo } from '../../lib/runtime/clients.ts';
import { serve } from '../../lib/runtime/serve.ts';
import { readAgreement } from './catalogue-store.ts';
import { decideRevocation } from './consent.ts';
import { recordChange } from './record-change.ts';
import { revokeConsent } from './routes.ts';

export const handler = serve(revokeConsent)(async ({ params, caller, application, now, requestId, tables, fail }) => {
  const { agreementId } = params;
  const found = await readAgreement(dynamo(), tables.Agreements, application, agreementId);
  if (!found) return fail('AGREEMENT_NOT_FOUND');
  if (found.agreement.isRequired) return fail('AGREEMENT_REQUIRED');
  const { userId } = caller;
  const at = await recordChange(dynamo(), tables, { userId, agreementId, now, requestId, decide: decideRevocation });
  return { success: true, agreementId, agreed: false as const, revokedAt: at ?? now.toISOString() };
});
