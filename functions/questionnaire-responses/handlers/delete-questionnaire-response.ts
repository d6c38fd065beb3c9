import { serve } from '../../../lib/runtime/serve.ts';
import { deleteQuestionnaireResponse } from '../routes.ts';
import { deleteDraft } from '../workflows/write-draft.ts';

export const handler = serve(deleteQuestionnaireResponse)(async ({ params, query, headers, caller, now, tables }) => {
  const deps = { tables, userId: caller.userId, now };
  const sent = { ...params, recordedAt: query.recordedAt ?? null, ifMatch: headers['if-match'] };
  const { isDeleted, recordedAt, outcome } = await deleteDraft(deps, sent);
  return { ...params, isDeleted, recordedAt, outcome };
});
