import { dynamo } from '../../../lib/runtime/clients.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { QuestionnaireBundleNotFound } from '../errors.ts';
import { readQuestionnaireBundle } from '../routes.ts';
import { readBundle } from '../stores/bundle-rows.ts';

export const handler = serve(readQuestionnaireBundle)(async ({ params, tables, fail }) => {
  const row = await readBundle(dynamo(), tables.Questionnaires, params.bundleId);
  return row ? { etag: etagOf(row.revision), body: row } : fail(QuestionnaireBundleNotFound);
});
