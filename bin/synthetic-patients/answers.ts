import type { Answer, Definition, Item } from '../../functions/questionnaires/rules.ts';
import { addDays } from '../../functions/sleep/rules.ts';
import { within } from './random.ts';
import { at, burdenOn, type Traits } from './traits.ts';

export type AnsweredQuestionnaire = {
  readonly responseId: string;
  readonly questionnaireId: string;
  readonly version: string;
  readonly answers: Answer[];
  readonly begunAt: string;
  readonly completedAt: string;
};

/** How often each questionnaire is due, in days. For WHO-5 (well-being) more points are better. */
const schedule = {
  isi: { every: 28, isGood: false },
  'who-5': { every: 14, isGood: true },
  ess: { every: 56, isGood: false },
  'phq-9': { every: 56, isGood: false },
  'gad-7': { every: 56, isGood: false },
} as const;

type Scheduled = keyof typeof schedule;

export const scheduledQuestionnaires = Object.keys(schedule) as readonly Scheduled[];

/** @param definitions the schedule decides which of them are answered */
export function answeredQuestionnaires(
  traits: Traits,
  definitions: readonly Definition[],
  joinedAt: string,
): AnsweredQuestionnaire[] {
  return scheduledQuestionnaires.flatMap((id) => {
    const definition = definitions.find(({ questionnaireId }) => questionnaireId === id);
    return definition ? answered(traits, definition, schedule[id], joinedAt) : [];
  });
}

function answered(
  traits: Traits,
  definition: Definition,
  { every, isGood }: (typeof schedule)[Scheduled],
  joinedAt: string,
): AnsweredQuestionnaire[] {
  const { random, userId, from, to, zone, diligence } = traits;
  const { questionnaireId, version } = definition;
  const found: AnsweredQuestionnaire[] = [];
  for (let day = 0, number = 1; ; day += every, number += 1) {
    const due = addDays(from, day);
    if (due > to) return found;
    const date = addDays(due, day === 0 ? 0 : random.whole(0, 3));
    const [minute, takes] = [random.whole(14 * 60, 21 * 60), random.whole(2, 9)];
    const burden = burdenOn(traits, date);
    const answers = answersTo(traits, definition, isGood ? 1 - burden : burden);
    const isAnswered = day === 0 || random.chance(diligence);
    if (!isAnswered || date > to) continue;
    const [begunAt, completedAt] = [at(date, minute, zone), at(date, minute + takes, zone)];
    if (begunAt < joinedAt) continue;
    const responseId = `${userId}-${questionnaireId}-${number}`;
    found.push({ responseId, questionnaireId, version, answers, begunAt, completedAt });
  }
}

/** @param level from 0 to 1: the share of the possible points */
function answersTo({ random }: Traits, { items, flags }: Definition, level: number): Answer[] {
  const watched = new Set(flags.map(({ item }) => item));
  return items.flatMap((item): Answer[] => {
    const options = byScore(item);
    if (options.length === 0) return [];
    const place = Math.round(within(random.normal(level, 0.18), 0, 1) * (options.length - 1));
    // Nobody should get an alarm about a person who does not exist.
    const chosen = options[watched.has(item.linkId) ? 0 : place];
    return chosen ? [{ linkId: item.linkId, choice: chosen.value }] : [];
  });
}

function byScore({ type, options = [] }: Item) {
  if (type !== 'choice') return [];
  return options.toSorted((one, other) => (one.score ?? 0) - (other.score ?? 0));
}
