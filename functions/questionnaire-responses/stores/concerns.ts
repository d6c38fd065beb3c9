import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { latestOfEach } from '../rules/latest-scores.ts';
import { type ResponseRow, readCompleted, readResponse } from './response-rows.ts';

/** What other domains need to know about a patient's responses. Every read is strongly consistent. */

/**
 * A score of the response that was completed last, with its latest correction, and when that response was completed: a
 * correction does not make it younger. Null if there is no response, or no such score in it.
 */
export async function readLatestScore(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId, scoreId }: { userId: string; questionnaireId: string; scoreId: string },
): Promise<{ value: number; completedAt: string } | null> {
  const found = await readLatestChain(client, table, { userId, questionnaireId });
  const value = found && scoreIn(found.latest, scoreId);
  return found && value !== null ? { value, completedAt: found.first.completedAt ?? '' } : null;
}

/** One version of a response: the original, or a correction of it. */
export type ScoreVersion = {
  readonly completedAt: string;
  readonly isCorrection: boolean;
  readonly value: number | null;
};

/** So many versions are read at once: more than a questionnaire that is due each week has in a quarter of a year. */
const versionsOnPage = 15;

/**
 * A score in each version of each response, newest first, until `isEnough` says of those read so far that no older one
 * matters.
 */
export async function readScoreVersions(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId, scoreId }: { userId: string; questionnaireId: string; scoreId: string },
  isEnough: (versions: readonly ScoreVersion[]) => boolean | Promise<boolean>,
): Promise<ScoreVersion[]> {
  const versions: ScoreVersion[] = [];
  let after: string | null = null;
  do {
    const page = await readCompleted(client, table, userId, { questionnaireId }, { limit: versionsOnPage, after });
    for (const row of page.found) {
      const { completedAt, amends } = row;
      versions.push({ completedAt: completedAt ?? '', isCorrection: amends !== null, value: scoreIn(row, scoreId) });
    }
    after = page.next;
  } while (after !== null && !(await isEnough(versions)));
  return versions;
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
  const found = await readLatestChain(client, table, { userId, questionnaireId });
  return found?.latest ?? null;
}

/** @returns the response that was completed last, and its latest correction, which can be the response itself */
async function readLatestChain(
  client: DynamoDBDocumentClient,
  table: string,
  { userId, questionnaireId }: { userId: string; questionnaireId: string },
): Promise<{ first: ResponseRow; latest: ResponseRow } | null> {
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
  if (!first) return null;
  let latest = first;
  while (latest.amendedBy !== null) {
    const responseId: string = latest.amendedBy;
    const next = seen.get(responseId) ?? (await readResponse(client, table, { userId, responseId }));
    if (!next) return null;
    latest = next;
  }
  return { first, latest };
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
