import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { completeQuestionnaireResponse } from '../routes.ts';
import { entitlementFinder } from '../stores/entitlements.ts';
import { completeResponse } from '../workflows/complete-response.ts';
import { withHelp } from '../workflows/help-of.ts';

export const handler = serve(completeQuestionnaireResponse)(async ({ params, body, caller, now, tables }) => {
  const client = dynamo();
  const entitlement = entitlementFinder(client, tables, now);
  const reach = { client, tables, userId: caller.userId, now, entitlement };
  return withHelp(reach, await completeResponse(reach, { ...params, recordedAt: body?.recordedAt ?? null }));
});

await initialize(completeQuestionnaireResponse);
