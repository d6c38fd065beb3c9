import { serve } from '../../../lib/runtime/serve.ts';
import { completeQuestionnaireResponse } from '../routes.ts';
import { outcomeOfCompletion } from '../rules/response.ts';
import { entitlementFinder } from '../stores/entitlements.ts';
import { completeResponse } from '../workflows/complete-response.ts';
import { withHelp } from '../workflows/help-of.ts';

export const handler = serve(completeQuestionnaireResponse)(async ({ params, headers, body, caller, now, tables }) => {
  const entitlement = entitlementFinder(tables, now);
  const deps = { tables, userId: caller.userId, now, entitlement };
  const sent = { ...params, recordedAt: body?.recordedAt ?? null, ifMatch: headers['if-match'] };
  const row = await completeResponse(deps, sent);
  return withHelp(deps, { ...row, outcome: outcomeOfCompletion(row, sent) }, headers);
});
