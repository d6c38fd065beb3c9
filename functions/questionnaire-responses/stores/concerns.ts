import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { latestOfEach } from '../rules/latest-scores.ts';
import { type ResponseRow, readCompleted, readResponse } from './response-rows.ts';

/** What other domains need to know about a patient's responses. Every read is strongly consistent. */

/**
 * A score of the response that was completed last, with its latest correction; null if there is no response, or no such
 * score in it.
 */
export async function readLatestScore(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId, scoreId }: { userId: string; questionnaireId: string; scoreId: string },
): Promise<number | null> {
  const latest = await readLatestResponse(client, table, { userId, questionnaireId });
  return latest ? scoreIn(latest, scoreId) : null;
}

/**
 * The response that was completed last, with its latest correction. A correction is listed by the time at which it was
 * made, but it is about the time of the response that it corrects.
 */
export async function readLatestResponse(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId }: { userId: string; questionnaireId: string },
): Promise<ResponseRow | null> {
  const seen = new Map<string, ResponseRow>();
  let first: ResponseRow | undefined;
  // The loop seldom runs more than once: the last completed response is rarely a correction.
  for (let after: string | null = null, limit = 1; !first; limit = 20) {
    const page = await readCompleted(client, table, userId, { questionnaireId }, { limit, after });
    for (const row of page.found) seen.set(row.responseId, row);
    first = page.found.find(({ amends }) => amends === null);
    if (page.next === null) break;
    after = page.next;
  }
  let latest: ResponseRow | null = first ?? null;
  while (latest && latest.amendedBy !== null) {
    const responseId: string = latest.amendedBy;
    latest = seen.get(responseId) ?? (await readResponse(client, table, { userId, responseId }));
  }
  return latest;
}

/** Null if it has no such score. */
export function scoreIn({ scores }: Pick<ResponseRow, 'scores'>, scoreId: string): number | null {
  return scores?.find((score) => score.scoreId === scoreId)?.value ?? null;
}

/** How many of the last completed responses are read: more than the questionnaires that a patient gets at a time. */
const latestLooked = 12;

/** The latest of each questionnaire among the last twelve responses, newest first. */
export async function readLatestScored(
  client: DynamoDBDocumentClient,
  table: string,
  userId: string,
): Promise<ResponseRow[]> {
  const { found } = await readCompleted(client, table, userId, {}, { limit: latestLooked, after: null });
  return latestOfEach(found);
}
