import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { countOpenFlags, readLatestScore } from '../../questionnaire-responses/exports.ts';
import type { ReadConcerns } from './sleep-window.ts';

/** The Epworth Sleepiness Scale of the seeds, and its sum. */
const sleepiness = { questionnaireId: 'ess', scoreId: 'total' };

/** Asks a patient's questionnaires what speaks against a sleep window. */
export function concernsIn(
  client: DynamoDBDocumentClient,
  tables: { QuestionnaireResponses: string; QuestionnaireFlags: string },
): ReadConcerns {
  return async (userId) => {
    const [score, openFlags] = await Promise.all([
      readLatestScore(client, tables.QuestionnaireResponses, { userId, ...sleepiness }),
      countOpenFlags(client, tables.QuestionnaireFlags, userId),
    ]);
    return { sleepiness: score, openFlags };
  };
}
