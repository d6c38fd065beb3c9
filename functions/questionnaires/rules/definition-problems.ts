import { isDate, isTime } from './answers.ts';
import {
  type Condition,
  type Definition,
  givenValue,
  type Input,
  type Item,
  isAnswered,
  type Range,
  type Score,
  type Texts,
  type Value,
} from './definition.ts';
import { scoreRanges } from './score-ranges.ts';

/** Whether a definition makes sense as a whole, beyond the form of its parts. */

export type DefinitionProblem = { readonly path: string; readonly message: string };

const deepest = 5;

export function definitionProblems(definition: Definition): DefinitionProblem[] {
  return [
    ...itemProblems(definition.items),
    ...scoreProblems(definition),
    ...flagProblems(definition),
    ...constraintProblems(definition),
    ...localeProblems(definition),
  ];
}

function itemProblems(items: readonly Item[]): DefinitionProblem[] {
  const before = new Map<string, Item>();
  let open: string[] = [];
  return items.flatMap((item, index) => {
    const path = `items[${index}]`;
    const say = (field: string, message: string) => ({ path: `${path}.${field}`, message });
    const found: DefinitionProblem[] = [];
    if (before.has(item.linkId)) found.push(say('linkId', 'is another item, too'));
    // Items are in reading order: the items of a group follow the group directly, without items of another group in
    // between.
    const depth = item.groupId === undefined ? 0 : open.indexOf(item.groupId) + 1;
    if (item.groupId !== undefined && depth === 0) found.push(say('groupId', 'must be a group that is still open'));
    if (depth > deepest) found.push(say('groupId', `must not be deeper than ${deepest} groups`));
    open = open.slice(0, depth);
    if (item.type === 'group') open.push(item.linkId);
    if (item.type === 'group' && items[index + 1]?.groupId !== item.linkId) {
      found.push(say('type', 'must be a group of something'));
    }
    found.push(...formProblems(item).map(([field, message]) => say(field, message)));
    for (const [number, condition] of (item.enableWhen ?? []).entries()) {
      const problem = conditionProblem(condition, before.get(condition.linkId));
      if (problem) found.push(say(`enableWhen[${number}]`, problem));
    }
    before.set(item.linkId, item);
    return found;
  });
}

function formProblems(item: Item): [string, string][] {
  const { type, options, min, max } = item;
  const found: [string, string][] = [];
  const isNumber = type === 'integer' || type === 'decimal';
  for (const [field, bound] of Object.entries({ min, max })) {
    if (type === 'integer' && bound !== undefined && !Number.isInteger(bound)) {
      found.push([field, 'must be an integer, as its answers are']);
    }
  }
  if (type === 'choice' && !options?.length) found.push(['options', 'must be there for a choice']);
  if (type !== 'choice' && options !== undefined) found.push(['options', 'are only for a choice']);
  if (options && new Set(options.map(({ value }) => value)).size < options.length) {
    found.push(['options', 'must have different values']);
  }
  if (!isNumber && (min !== undefined || max !== undefined)) found.push(['min', 'and max are only for numbers']);
  if (min !== undefined && max !== undefined && min > max) found.push(['min', 'must not be above max']);
  if (type !== 'text' && item.maxLength !== undefined) found.push(['maxLength', 'is only for a text']);
  if (item.required && !isAnswered(item)) found.push(['required', 'is only for an item that can be answered']);
  return found;
}

function conditionProblem({ operator, linkId: _linkId, ...value }: Condition, item: Item | undefined): string | null {
  if (!item || !isAnswered(item)) return 'must be about an item before it that is answered';
  const wanted = operator === 'exists' ? 'boolean' : item.type;
  const named = Object.keys(value).filter((name) => value[name as keyof Value] !== undefined);
  if (named.length !== 1 || named[0] !== wanted) return `must have a value, as ${wanted}`;
  if (operator === 'exists') return null;
  if (['>', '<', '>=', '<='].includes(operator) && ['choice', 'boolean', 'text'].includes(wanted)) {
    return 'compares what has no order';
  }
  const given = givenValue(value);
  if (wanted === 'choice' && !item.options?.some((option) => option.value === given))
    return 'must be one of the options';
  if (wanted === 'date' && !isDate(String(given))) return 'must be a date';
  return wanted === 'time' && !isTime(String(given)) ? 'must be a time' : null;
}

function scoreProblems({ items, scores }: Definition): DefinitionProblem[] {
  const known = new Map(items.map((item) => [item.linkId, item]));
  const before = new Set<string>();
  const ranges = scoreRanges({ items, scores });
  return scores.flatMap((score, index) => {
    const parts = partsOf(score, known, before);
    // A problem of a range is not reported if one of its parts already has a problem.
    const found = (parts.length > 0 ? parts : (ranges[index]?.problems ?? [])).map(([field, message]) => {
      return { path: `scores[${index}].${field}`, message };
    });
    if (before.has(score.scoreId))
      found.push({ path: `scores[${index}].scoreId`, message: 'is also the id of another score' });
    before.add(score.scoreId);
    return found;
  });
}

const arity: Readonly<Partial<Record<Score['kind'], number>>> = { map: 1, 'clock-difference': 2, ratio: 2 };

function partsOf(score: Score, items: ReadonlyMap<string, Item>, before: ReadonlySet<string>): [string, string][] {
  const { kind, of, thresholds, bands = [] } = score;
  const found: [string, string][] = [];
  const count = arity[kind];
  if (count !== undefined && of.length !== count) found.push(['of', `must be ${count}`]);
  if ((kind === 'map') !== (thresholds !== undefined)) found.push(['thresholds', 'belong to a map']);
  if (kind !== 'ratio' && score.factor !== undefined) found.push(['factor', 'is for a ratio']);
  if (kind !== 'sum' && kind !== 'mean' && score.allowedMissing)
    found.push(['allowedMissing', 'is for a sum or a mean']);
  if ((score.allowedMissing ?? 0) >= of.length) found.push(['allowedMissing', 'must leave one input']);
  for (const [index, input] of of.entries()) {
    const problem = inputProblem(kind, input, items, before);
    if (problem) found.push([`of[${index}]`, problem]);
  }
  for (const [index, band] of bands.entries()) {
    const previous = bands[index - 1];
    if (band.to < band.from || (previous && band.from <= previous.to))
      found.push([`bands[${index}]`, 'must be in order']);
  }
  return found;
}

function inputProblem(
  kind: Score['kind'],
  { item, score, weight, ifMissing }: Input,
  items: ReadonlyMap<string, Item>,
  before: ReadonlySet<string>,
): string | null {
  if ((item === undefined) === (score === undefined)) return 'must be an item or a score';
  if (weight !== undefined && kind !== 'weighted') return 'has a weight, which is for a weighted score';
  if (score !== undefined) {
    if (kind === 'clock-difference') return 'must be an item that is a time';
    return before.has(score) ? null : 'must be a score before it';
  }
  const asked = items.get(item ?? '');
  if (kind === 'clock-difference') {
    if (ifMissing !== undefined) return 'has a number for a time that is missing';
    return asked?.type === 'time' ? null : 'must be an item that is a time';
  }
  return asked && isCounted(asked) ? null : 'must be an item that counts: a choice with scores, a number or a boolean';
}

function isCounted({ type, options = [] }: Item): boolean {
  if (type === 'choice') return options.some(({ score }) => score !== undefined);
  return ['integer', 'decimal', 'boolean'].includes(type);
}

/** Each option of a choice must have a number. An answer without a number could never raise a flag. */
function isCountedAlways(item: Item): boolean {
  return isCounted(item) && (item.options ?? []).every(({ score }) => score !== undefined);
}

function flagProblems({ items, scores, flags }: Definition): DefinitionProblem[] {
  return flags.flatMap(({ item, score, ...range }, index) => {
    const path = `flags[${index}]`;
    const found: DefinitionProblem[] = [];
    const isKnown =
      (item !== undefined && items.some((each) => each.linkId === item && isCountedAlways(each))) ||
      (score !== undefined && scores.some(({ scoreId }) => scoreId === score));
    if (!isKnown || (item !== undefined && score !== undefined)) {
      found.push({ path, message: 'must name one item that counts, or one score' });
    }
    if (!hasBound(range)) found.push({ path, message: 'must have a bound' });
    return found;
  });
}

function constraintProblems({ scores, constraints = [] }: Definition): DefinitionProblem[] {
  return constraints.flatMap(({ score, ...range }, index) => {
    const path = `constraints[${index}]`;
    const found: DefinitionProblem[] = [];
    if (!scores.some(({ scoreId }) => scoreId === score)) found.push({ path, message: 'must name a score' });
    if (!hasBound(range)) found.push({ path, message: 'must have a bound' });
    return found;
  });
}

function hasBound({ atLeast, above, atMost, below }: Range): boolean {
  return [atLeast, above, atMost, below].some((bound) => bound !== undefined);
}

/** Every text must exist in the default locale, because an app falls back to it. */
function localeProblems({
  defaultLocale,
  title,
  description,
  items,
  scores,
  constraints = [],
}: Definition): DefinitionProblem[] {
  const texts: [string, Texts | undefined][] = [
    ['title', title],
    ['description', description],
    ...items.flatMap(({ text, options = [] }, index): [string, Texts][] => [
      [`items[${index}].text`, text],
      ...options.map((option, number): [string, Texts] => [`items[${index}].options[${number}].text`, option.text]),
    ]),
    ...scores.flatMap(({ label, bands = [] }, index): [string, Texts][] => [
      [`scores[${index}].label`, label],
      ...bands.map((band, number): [string, Texts] => [`scores[${index}].bands[${number}].label`, band.label]),
    ]),
    ...constraints.map((constraint, index): [string, Texts] => [`constraints[${index}].text`, constraint.text]),
  ];
  return texts.flatMap(([path, text]) =>
    text && !Object.hasOwn(text, defaultLocale) ? [{ path, message: `must be there in ${defaultLocale}` }] : [],
  );
}
