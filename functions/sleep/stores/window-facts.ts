import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  readFlagState,
  readLatestResponse,
  readLatestScore,
  readScoreVersions,
  scoreIn,
} from '../../questionnaire-responses/exports.ts';
import type { Screened } from '../rules/release.ts';
import { saysAll, sleepinessOf } from '../rules/sleepiness.ts';
import type { WindowFacts } from '../rules/standing.ts';
import { currentRules } from '../rules/window-rules.ts';
import { readLatestEntries } from './entry-rows.ts';
import { readLastWindow, readNoddedOffAt, type WindowRow } from './window-rows.ts';

/** Everything from which a patient's sleep window follows, except the entitlements: one round trip. */

export type FactTables = Readonly<
  Record<'SleepEntries' | 'SleepWindows' | 'QuestionnaireResponses' | 'QuestionnaireFlags', string>
>;

/** The score of the screening: how many answers require a physician. */
const excludingScore = 'excluding';

export async function readWindowFacts(
  client: DynamoDBDocumentClient,
  tables: FactTables,
  userId: string,
): Promise<WindowFacts<WindowRow>> {
  const { sleepiness, depression: mood } = currentRules;
  const responses = tables.QuestionnaireResponses;
  const lastWindow = readLastWindow(client, tables.SleepWindows, userId);
  // A second page is needed only of somebody who answered very often since the last window was released.
  const answered = readScoreVersions(client, responses, { userId, ...sleepiness }, async (versions) =>
    saysAll(versions, await lastWindow, currentRules),
  );
  const [last, entries, versions, noddedOffAt, depression, screened, flag] = await Promise.all([
    lastWindow,
    readLatestEntries(client, tables.SleepEntries, userId),
    answered,
    readNoddedOffAt(client, tables.SleepWindows, userId),
    readLatestScore(client, responses, { userId, ...mood }),
    readScreened(client, responses, userId),
    readFlagState(client, tables.QuestionnaireFlags, userId),
  ]);
  return {
    ...{ last, depression, screened, flag },
    ...sleepinessOf(versions, noddedOffAt, currentRules),
    nights: entries.map(({ night }) => night),
    zone: entries.at(-1)?.content.zone ?? null,
  };
}

async function readScreened(client: DynamoDBDocumentClient, table: string, userId: string): Promise<Screened | null> {
  const { questionnaireId } = currentRules.screening;
  const found = await readLatestResponse(client, table, { userId, questionnaireId });
  if (!found) return null;
  const { responseId, version, completedAt } = found;
  return { responseId, version, completedAt: completedAt ?? '', excluding: scoreIn(found, excludingScore) };
}
