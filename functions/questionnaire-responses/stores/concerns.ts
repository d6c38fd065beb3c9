import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { latestOfEach } from '../rules/latest-scores.ts';
import { type ResponseRow, readCompleted, readResponse } from './response-rows.ts';

/** What other domains ask of a patient's responses. Every read is strongly consistent. */

/** A score of the response that was completed last, as it stands corrected; null where there is none, or it has no such score. */
export async function readLatestScore(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId, scoreId }: { userId: string; questionnaireId: string; scoreId: string },
): Promise<number | null> {
  const latest = await readLatestResponse(client, table, { userId, questionnaireId });
  return latest ? scoreIn(latest, scoreId) : null;
}

/** The response that was completed last, as it stands corrected. A correction is listed by when it was made, but it is about the time of the response that it corrects. */
export async function readLatestResponse(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId }: { userId: string; questionnaireId: string },
): Promise<ResponseRow | null> {
  const seen = new Map<string, ResponseRow>();
  let first: ResponseRow | undefined;
  // Seldom more than one: what was completed last is rarely a correction.
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

/** Null where it has no such score. */
export function scoreIn({ scores }: Pick<ResponseRow, 'scores'>, scoreId: string): number | null {
  return scores?.find((score) => score.scoreId === scoreId)?.value ?? null;
}

/** Of the responses that were completed last so many are looked at: more than the questionnaires that one is given at a time. */
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
