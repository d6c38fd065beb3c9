import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readEntitlements } from '../../access-codes/exports.ts';
import { waysOf } from '../../learning/rules/programmes.ts';
import { hasOpenFlag, readLatestResponse, readLatestScore, scoreIn } from '../../questionnaire-responses/exports.ts';
import { readUser } from '../../users/exports.ts';
import { isAdult } from '../../users/rules/adult.ts';
import type { Screened } from '../rules/release.ts';
import { currentRules } from '../rules/window-rules.ts';
import type { ReadConcerns } from './sleep-window.ts';

/** The Epworth Sleepiness Scale of the seeds, and its sum. */
const sleepinessScale = { questionnaireId: 'ess', scoreId: 'total' };

/** The score of the screening: how many answers require a physician. */
const excludingScore = 'excluding';

type Tables = {
  readonly QuestionnaireResponses: string;
  readonly QuestionnaireFlags: string;
  readonly Entitlements: string;
  readonly Users: string;
};

/**
 * Reads from a patient's questionnaires and entitlements what speaks against a sleep window, and who can release one.
 */
export function concernsIn(client: DynamoDBDocumentClient, tables: Tables): ReadConcerns {
  return async (userId, now) => {
    const [sleepiness, isFlagged, screened, entitlements, user] = await Promise.all([
      readLatestScore(client, tables.QuestionnaireResponses, { userId, ...sleepinessScale }),
      hasOpenFlag(client, tables.QuestionnaireFlags, userId),
      readScreened(client, tables.QuestionnaireResponses, userId),
      readEntitlements(client, tables, { userId, now }),
      readUser(client, tables.Users, userId),
    ]);
    const active = entitlements.filter(({ status }) => status === 'active');
    const ways = waysOf(active.map(({ programmeId }) => programmeId));
    return { sleepiness, hasOpenFlag: isFlagged, screened, ways, isAdult: isAdult(user, now) };
  };
}

async function readScreened(client: DynamoDBDocumentClient, table: string, userId: string): Promise<Screened | null> {
  const { questionnaireId } = currentRules.screening;
  const found = await readLatestResponse(client, table, { userId, questionnaireId });
  if (!found) return null;
  const { responseId, version, completedAt } = found;
  return { responseId, version, completedAt: completedAt ?? '', excluding: scoreIn(found, excludingScore) };
}
