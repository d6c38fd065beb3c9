import type { Definition } from '../../questionnaires/rules.ts';
import type { Column, Row } from './columns.ts';

/** What each column of each file means, and each variable of the questionnaires whose answers are in the export. Pure. */

export const codebookColumns: readonly Column[] = [
  { name: 'file', type: 'code', meaning: 'The file, without its ending' },
  { name: 'questionnaireId', type: 'code', meaning: 'The questionnaire, if the variable belongs to one' },
  { name: 'version', type: 'code', meaning: 'The version of the questionnaire' },
  { name: 'variable', type: 'code', meaning: 'The column, or the item or score of the questionnaire' },
  { name: 'type', type: 'code', meaning: 'The type of its values' },
  { name: 'unit', type: 'code', meaning: 'The unit of its values' },
  { name: 'meaning', type: 'code', meaning: 'What the variable means' },
  {
    name: 'values',
    type: 'code',
    meaning: 'The codes with their scores and texts, the range, or the bands of a score',
  },
];

export function columnRows(file: string, columns: readonly Column[]): Row[] {
  return columns.map(({ name, type, unit, meaning }) => {
    const said = { type, unit: unit ?? null, meaning, values: null };
    return { file, questionnaireId: null, version: null, variable: name, ...said };
  });
}

/** Texts in the language that the definition names as its own. Items in free text, groups and dates have no values here. */
export function definitionRows({ questionnaireId, version, defaultLocale, items, scores }: Definition): Row[] {
  const text = (texts: Readonly<Record<string, string>>) => texts[defaultLocale] ?? Object.values(texts)[0] ?? '';
  const common = { file: 'questionnaires', questionnaireId, version, unit: null };
  const ofItems = items
    .filter(({ type }) => ['choice', 'integer', 'decimal', 'boolean', 'time'].includes(type))
    .map(({ linkId, type, text: said, options, min, max }) => {
      const codes = options?.map((option) => {
        return `${option.value}${option.score === undefined ? '' : ` (${option.score})`}: ${text(option.text)}`;
      });
      const range = min === undefined && max === undefined ? null : `${min ?? ''}–${max ?? ''}`;
      return { ...common, variable: linkId, type, meaning: text(said), values: codes?.join('; ') ?? range };
    });
  const ofScores = scores
    .filter(({ isHidden }) => isHidden !== true)
    .map(({ scoreId, label, bands = [] }) => {
      const values = bands.map(({ bandId, from, to, label: said }) => `${bandId} (${from}–${to}): ${text(said)}`);
      return { ...common, variable: scoreId, type: 'decimal', meaning: text(label), values: values.join('; ') || null };
    });
  return [...ofItems, ...ofScores];
}
