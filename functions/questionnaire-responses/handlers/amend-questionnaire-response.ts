import { serve } from '../../../lib/runtime/serve.ts';
import { amendQuestionnaireResponse } from '../routes.ts';
import { amendResponse } from '../workflows/complete-response.ts';
import { withHelp } from '../workflows/help-of.ts';

export const handler = serve(amendQuestionnaireResponse)(async ({ params, headers, body, caller, now, tables }) => {
  const deps = { tables, userId: caller.userId, now };
  const { responseId: amends } = params;
  const sent = { ...body, amends, recordedAt: body.recordedAt ?? null, ifMatch: headers['if-match'] };
  // A correction that is too late is 409, so an answer always has the caller's own.
  return withHelp(deps, { ...(await amendResponse(deps, sent)), outcome: 'stored' as const }, headers);
});
