import { readCompleted, readResponse } from '../../questionnaire-responses/exports.ts';
import { readVersion } from '../../questionnaires/exports.ts';
import { readNewestDiary, readNewestEpisodes } from '../../sleep/exports.ts';
import { readProfile } from '../../users/exports.ts';
import { diaryObservation } from '../rules/diary-observation.ts';
import { episodeObservation } from '../rules/episode-observation.ts';
import { fhirPatient } from '../rules/patient.ts';
import type { Resource } from '../rules/resource.ts';
import { fhirAnswers } from '../rules/response.ts';
import type { FhirDependencies, Section } from './dependencies.ts';

export const patient: Section = async ({ tables, userId }, { after }) => {
  if (after !== null) return { found: [], next: null };
  const profile = await readProfile(tables.Users, userId);
  return { found: [{ resource: fhirPatient(userId, profile), place: userId }], next: null };
};

/**
 * Newest first. A response that was corrected is left out: its correction says all of it. A correction that was made after the
 * first page is above all pages, so what it corrects is still shown: of the two, a search has one.
 *
 * A place is `<newest>|<last>`, the keys of the first row of all pages and of the last one that was read.
 */
export const responses: Section = async (deps, { limit, after }) => {
  const { tables, userId } = deps;
  const [last = '', newest = null] = after?.split('|').toReversed() ?? [];
  const table = tables.QuestionnaireResponses;
  const page = await readCompleted(table, userId, {}, { limit, after: after === null ? null : last });
  const top = newest ?? (after === null && page.found[0] ? keyOf(page.found[0]) : null);
  const placed = (key: string) => (top === null ? key : `${top}|${key}`);
  const read = page.found.map(async (response) => {
    const { questionnaireId, version, amendedBy } = response;
    if (amendedBy !== null && !(await isAbove(deps, amendedBy, newest))) return null;
    const definition = await readVersion(tables.Questionnaires, questionnaireId, version);
    // Versions stay. If a restore lost one, the person still gets all the rest.
    if (!definition) return null;
    return resourceAt(placed(keyOf(response)), () => fhirAnswers(response, definition, userId));
  });
  const found = (await Promise.all(read)).filter((resource) => resource !== null);
  return { found, next: page.next === null ? null : placed(page.next) };
};

/** Under which a completed response is listed. */
function keyOf({ completedAt, responseId }: { completedAt: string | null; responseId: string }): string {
  return `at#${completedAt}#${responseId}`;
}

/** @param newest null: this is the first page, and no correction is above it */
async function isAbove(
  { tables, userId }: FhirDependencies,
  responseId: string,
  newest: string | null,
): Promise<boolean> {
  if (newest === null) return false;
  const correction = await readResponse(tables.QuestionnaireResponses, { userId, responseId });
  return correction !== null && keyOf(correction) > newest;
}

export const diary: Section = async ({ tables, userId }, page) => {
  const { entries, next } = await readNewestDiary(tables.SleepEntries, userId, page);
  const found = entries.map((entry) => resourceAt(entry.date, () => diaryObservation(userId, entry)));
  return { found: found.filter((each) => each !== null), next };
};

export const episodes: Section = async ({ tables, userId }, page) => {
  const { episodes, next } = await readNewestEpisodes(tables.SleepEpisodes, userId, page);
  const found = episodes.map((episode) => resourceAt(episode.episodeKey, () => episodeObservation(userId, episode)));
  return { found: found.filter((each) => each !== null), next };
};

/** Null where no honest function wrote the row: the person still gets all the rest, and the row itself in the file of its table. */
function resourceAt(place: string, make: () => Resource) {
  try {
    return { resource: make(), place };
  } catch {
    return null;
  }
}
