import { consumeStream } from '../../../lib/runtime/consume.ts';
import { countQuestionnaires } from '../consumers.ts';
import { questionnaires } from '../rules/sources.ts';
import { countBatch } from '../workflows/count-things.ts';

export const handler = consumeStream(countQuestionnaires)(async (records, { tables }) => {
  await countBatch(records, { tables, of: tables.QuestionnaireResponses, source: questionnaires });
  return null;
});
