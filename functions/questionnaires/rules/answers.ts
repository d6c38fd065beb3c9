import { type Answer, type Definition, givenValue, type Item, isAnswered, isGiven, type Value } from './definition.ts';
import { enabledItems } from './enabled-items.ts';

/**
 * Whether answers fit a questionnaire. The text of a problem names the item and the rule, but never the answer, which
 * is health data.
 */

export type Problem = {
  /** `answers[2].integer` */
  readonly path: string;
  readonly code:
    | 'invalid_type'
    | 'invalid_format'
    | 'invalid_value'
    | 'too_small'
    | 'too_big'
    | 'too_long'
    | 'repeated';
  readonly message: string;
};

/** The problems of a draft: each answer in it must fit, but no answer is required. */
export function answerProblems({ items }: Pick<Definition, 'items'>, answers: readonly Answer[]): Problem[] {
  const known = new Map(items.map((item) => [item.linkId, item]));
  const seen = new Set<string>();
  return answers.flatMap((answer, index): Problem[] => {
    const { linkId } = answer;
    const item = known.get(linkId);
    const at = (code: Problem['code'], message: string, field = 'linkId'): Problem[] => [
      { path: `answers[${index}].${field}`, code, message },
    ];
    if (!item || !isAnswered(item)) return at('invalid_value', 'is no item of this version that is answered');
    if (seen.has(linkId)) return at('repeated', `${linkId} is answered twice`);
    seen.add(linkId);
    const { type } = item;
    const { linkId: _name, ...values } = answer;
    const named = Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    if (named.length !== 1 || named[0] !== type)
      return at('invalid_type', `${linkId} takes one value, as ${type}`, type);
    const problem = valueProblem(item, answer);
    return problem ? at(problem[0], `${linkId} ${problem[1]}`, type) : [];
  });
}

/** The problems of a response that will be completed: the required items that are asked and have no answer. */
export function missingAnswers(definition: Pick<Definition, 'items'>, answers: readonly Answer[]): Item[] {
  const enabled = enabledItems(definition, answers);
  const given = new Set(answers.filter(isGiven).map(({ linkId }) => linkId));
  return definition.items.filter(
    (item) => item.required === true && isAnswered(item) && enabled.has(item.linkId) && !given.has(item.linkId),
  );
}

type Fault = [code: Problem['code'], message: string];

function valueProblem(item: Item, answer: Value): Fault | null {
  const { type, options = [], min, max, maxLength = longestText } = item;
  const value = givenValue(answer);
  if (type === 'choice' && !options.some((option) => option.value === value)) {
    return ['invalid_value', 'must be one of its options'];
  }
  if (typeof value === 'number') {
    if (min !== undefined && value < min) return ['too_small', `must be ${min} at least`];
    if (max !== undefined && value > max) return ['too_big', `must be ${max} at most`];
  }
  if (type === 'date' && !isDate(String(value))) return ['invalid_format', 'must be a date such as 2026-11-22'];
  if (type === 'time' && !isTime(String(value))) return ['invalid_format', 'must be a time such as 22:30'];
  if (type === 'text' && String(value).length > maxLength)
    return ['too_long', `must be ${maxLength} characters at most`];
  return null;
}

/** The limit of a free text whose item states no other limit. */
const longestText = 2000;

export function isTime(text: string): boolean {
  return /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** Whether the calendar has this date. */
export function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
