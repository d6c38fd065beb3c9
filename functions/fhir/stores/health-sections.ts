import { readCompleted } from '../../questionnaire-responses/exports.ts';
import { readVersion } from '../../questionnaires/exports.ts';
import { readNewestDiary, readNewestEpisodes } from '../../sleep/exports.ts';
import { readProfile } from '../../users/exports.ts';
import { diaryObservation } from '../rules/diary-observation.ts';
import { episodeObservation } from '../rules/episode-observation.ts';
import { fhirPatient } from '../rules/patient.ts';
import { fhirAnswers } from '../rules/response.ts';
import type { Section } from './reach.ts';

export const patient: Section = async ({ client, tables, userId }, { after }) => {
  if (after !== null) return { found: [], next: null };
  const profile = await readProfile(client, tables.Users, userId);
  return { found: [{ resource: fhirPatient(userId, profile), place: userId }], next: null };
};

/** Newest first. A response that was corrected is left out: its correction says all of it. */
export const responses: Section = async ({ client, tables, userId }, page) => {
  const { found, next } = await readCompleted(client, tables.QuestionnaireResponses, userId, {}, page);
  const read = found
    .filter(({ amendedBy }) => amendedBy === null)
    .map(async (response) => {
      const { questionnaireId, version, completedAt, responseId } = response;
      const definition = await readVersion(client, tables.Questionnaires, questionnaireId, version);
      // Versions stay. If a restore lost one, the person still gets all the rest.
      if (!definition) return null;
      return { resource: fhirAnswers(response, definition, userId), place: `at#${completedAt}#${responseId}` };
    });
  return { found: (await Promise.all(read)).filter((resource) => resource !== null), next };
};

export const diary: Section = async ({ client, tables, userId }, page) => {
  const { entries, next } = await readNewestDiary(client, tables.SleepEntries, userId, page);
  const found = entries.map((entry) => ({ resource: diaryObservation(userId, entry), place: entry.date }));
  return { found, next };
};

export const episodes: Section = async ({ client, tables, userId }, page) => {
  const { episodes, next } = await readNewestEpisodes(client, tables.SleepEpisodes, userId, page);
  const found = episodes.map((episode) => ({
    resource: episodeObservation(userId, episode),
    place: episode.episodeKey,
  }));
  return { found, next };
};
