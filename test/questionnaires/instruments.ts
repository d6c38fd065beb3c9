import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Answer, Definition } from '../../functions/questionnaires/rules/definition.ts';
import { enabledItems } from '../../functions/questionnaires/rules/enabled-items.ts';
import { QuestionnaireContent } from '../../functions/questionnaires/schemas.ts';

/** The seeds, as the tests use them. */

export const instruments = ['phq-9', 'gad-7', 'isi', 'psqi', 'ess', 'who-5'] as const;
export type Instrument = (typeof instruments)[number];

export function instrument(name: Instrument): Definition {
  const file = new URL(`../../functions/questionnaires/seed/${name}.json`, import.meta.url);
  const { questionnaireId, version, ...content } = JSON.parse(readFileSync(file, 'utf8'));
  return { questionnaireId, version, ...z.parse(QuestionnaireContent, content) };
}

/** Answers to the choices in their order: the option of that score. */
export function choosing(definition: Definition, scores: readonly (number | null)[]): Answer[] {
  const choices = definition.items.filter(({ type }) => type === 'choice');
  return choices.flatMap(({ linkId }, index) => {
    const score = scores[index] ?? null;
    return score === null ? [] : [{ linkId, choice: String(score) }];
  });
}

/** Answers whose sum is `total`, filled up from the first item on. */
export function adding(definition: Definition, total: number): Answer[] {
  let left = total;
  const choices = definition.items.filter(({ type }) => type === 'choice');
  const scores = choices.map(({ options = [] }) => {
    const score = Math.min(left, options.length - 1);
    left -= score;
    return score;
  });
  return choosing(definition, scores);
}

/** PHQ-9 in full, with this answer to item 9. */
export function phq9(item9 = 0, others = 1): Answer[] {
  return choosing(instrument('phq-9'), [...Array.from({ length: 8 }, () => others), item9]);
}

export function isEnabled(definition: Definition, answers: readonly Answer[], linkId: string): boolean {
  return enabledItems(definition, answers).has(linkId);
}

/** PSQI in full, but for what else disturbed. Bed at 23:00, up at 07:00: 480 minutes. */
export function psqi({
  quality = 0,
  medication = 0,
  hours = 8,
  latency = 10,
  bed = '23:00',
  up = '07:00',
  trouble = 0,
  day = 0,
}): Answer[] {
  const definition = instrument('psqi');
  const scores: Record<string, number> = { 'psqi-6': quality, 'psqi-7': medication, 'psqi-8': day };
  const choices = definition.items.filter(({ type, linkId }) => type === 'choice' && linkId !== 'psqi-5j');
  return [
    { linkId: 'psqi-1', time: bed },
    { linkId: 'psqi-2', integer: latency },
    { linkId: 'psqi-3', time: up },
    { linkId: 'psqi-4', decimal: hours },
    ...choices.map(({ linkId }) => {
      const of = linkId.startsWith('psqi-5') && linkId !== 'psqi-5a' ? trouble : 0;
      return { linkId, choice: String(scores[linkId] ?? of) };
    }),
  ];
}
