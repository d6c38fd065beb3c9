import { dynamo } from '../../../lib/runtime/clients.ts';
import { initialize } from '../../../lib/runtime/initialize.ts';
import { etagOf } from '../../../lib/runtime/latest-write.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { putQuestionnaireResponse } from '../routes.ts';
import { entitlementReader } from '../stores/entitlements.ts';
import { writeDraft } from '../workflows/write-draft.ts';

export const handler = serve(putQuestionnaireResponse)(async ({ params, headers, body, caller, now, tables }) => {
  const client = dynamo();
  const row = await writeDraft(
    { client, tables, userId: caller.userId, now, entitlements: entitlementReader(client, tables, now) },
    {
      ...params,
      ...body,
      bundleId: body.bundleId ?? null,
      recordedAt: body.recordedAt ?? null,
      ifMatch: headers['if-match'],
    },
  );
  return { etag: etagOf(row), body: row };
});

await initialize(putQuestionnaireResponse);
