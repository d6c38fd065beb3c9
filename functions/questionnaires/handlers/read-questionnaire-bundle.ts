import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { QuestionnaireBundleNotFound } from '../errors.ts';
import { readQuestionnaireBundle } from '../routes.ts';
import { readBundle } from '../stores/bundle-rows.ts';

export const handler = serve(readQuestionnaireBundle)(async ({ params, tables, fail }) => {
  const row = await readBundle(tables.Questionnaires, params.bundleId);
  return row ? { etag: etagOf(row.revision), body: row } : fail(QuestionnaireBundleNotFound);
});
