import { readFileSync } from 'node:fs';
import { readDefinition } from '../../functions/questionnaires/jobs/questionnaire-file.ts';

/** The screening of the seeds. */

const file = new URL('../../functions/questionnaires/seed/sleep-window-screening.json', import.meta.url);

export const screening = readDefinition(readFileSync(file, 'utf8'));

/** All of them answered with no, but for these. */
export function screeningAnswers(others: Readonly<Record<string, string>> = {}) {
  return screening.items.flatMap(({ linkId, type, options = [] }) =>
    type === 'choice' ? [{ linkId, choice: others[linkId] ?? options[0]?.value ?? '' }] : [],
  );
}

export function screeningDraft(others: Readonly<Record<string, string>> = {}) {
  return { questionnaireId: 'sleep-window-screening', version: screening.version, answers: screeningAnswers(others) };
}

export const selfGuided = {
  ...{ count: 1, kind: 'clinic', programmeId: 'insomnia-self-guided', grantsDays: 90 },
  redeemBy: '2098-12-31T23:59:59Z',
};
