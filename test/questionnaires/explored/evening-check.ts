import type { End, Row, SetUp } from '../../../lib/explore/scenario.ts';
import { admin } from '../../explorer/people.ts';

/** A questionnaire of one item, whose title says which edition it is. */

export const questionnaireId = 'evening-check';

function content(title: string, more: Record<string, unknown> = {}) {
  return {
    defaultLocale: 'en',
    title: { en: title, de: title },
    items: [{ linkId: 'rested', type: 'boolean', text: { en: 'Rested?', de: 'Ausgeruht?' }, required: true }],
    scores: [],
    flags: [],
    ...more,
  };
}

export const publishing = (version: string, title: string, more: Record<string, unknown> = {}) => ({
  params: { questionnaireId, version },
  body: content(title, more),
});

export async function firstVersion({ call }: SetUp): Promise<void> {
  const { status, body } = await call(admin, 'publishQuestionnaire', publishing('1', 'First'));
  if (status !== 200) throw new Error(JSON.stringify(body));
}

export function headRow({ rows }: End): Row | undefined {
  return rows('Questionnaires').find(({ part, name }) => part === 'questionnaires' && name === questionnaireId);
}

/** By version. */
export function versionRows({
  rows,
}: End): Map<string, { readonly title: { readonly en: string }; readonly wording?: string }> {
  const found = rows('Questionnaires').filter(({ part }) => part === `questionnaire#${questionnaireId}`);
  return new Map(found.map(({ name, content: text }) => [String(name), JSON.parse(String(text))]));
}
