import { isTime } from '../../../lib/contract/instant.ts';
import { latestOfEach } from '../rules/latest-scores.ts';
import type { Completed, QuestionnaireResponses } from '../tables.ts';
import { readCompleted } from './response-rows.ts';

/** What other domains need to know about a patient's responses. Every read is strongly consistent. */

/** One version of a response: the original, or a correction of it. */
export type ScoreVersion = {
  readonly version: string;
  /** When it arrived. */
  readonly completedAt: string;
  /** When the patient wrote the answers. A phone without network can send them much later. */
  readonly writtenAt: string;
  readonly isCorrection: boolean;
  readonly value: number | null;
  /** The latest correction of an original; otherwise the version itself. */
  readonly corrected: { readonly responseId: string; readonly value: number | null };
};

/** So many versions are read at once: more than a questionnaire that is due each week has in a quarter of a year. */
const versionsOnPage = 15;

/**
 * A score in each version of each response, newest first, until `isEnough` says of those read so far that no older one
 * matters.
 */
export async function readScoreVersions(
  table: QuestionnaireResponses<'query'>,
  { userId, questionnaireId, scoreId }: { userId: string; questionnaireId: string; scoreId: string },
  isEnough: (versions: readonly ScoreVersion[]) => boolean | Promise<boolean>,
): Promise<ScoreVersion[]> {
  const versions: ScoreVersion[] = [];
  let after: string | null = null;
  do {
    const page = await readCompleted(table, userId, { questionnaireId }, { limit: versionsOnPage, after });
    versions.push(...page.found.filter(isVersion).map((row) => versionOf(row, scoreId)));
    after = page.next;
  } while (after !== null && !(await isEnough(versions)));
  return versions;
}

/** Leaves out rows without the time of their arrival, which somebody may have planted: a sign is known by it. */
function isVersion({ completedAt, recordedAt }: Completed): boolean {
  return isTime(completedAt) && !Number.isNaN(Date.parse(recordedAt));
}

function versionOf(row: Completed, scoreId: string): ScoreVersion {
  const { version, recordedAt, completedAt, amends } = row;
  const corrected = row.corrected ?? row;
  return {
    ...{ version, completedAt, writtenAt: recordedAt < completedAt ? recordedAt : completedAt },
    ...{ isCorrection: amends !== null, value: scoreIn(row, scoreId) },
    corrected: { responseId: corrected.responseId, value: scoreIn(corrected, scoreId) },
  };
}

/** Null if it has no such score. */
function scoreIn({ scores }: Pick<Completed, 'scores'>, scoreId: string): number | null {
  const found = Array.isArray(scores) ? scores.find((score) => score?.scoreId === scoreId) : undefined;
  return typeof found?.value === 'number' ? found.value : null;
}

/** How many of the last completed responses are read: more than the questionnaires that a patient gets at a time. */
const latestLooked = 12;

/** The latest of each questionnaire among the last twelve responses, newest first. */
export async function readLatestScored(table: QuestionnaireResponses<'query'>, userId: string): Promise<Completed[]> {
  const { found } = await readCompleted(table, userId, {}, { limit: latestLooked, after: null });
  return latestOfEach(found);
}
