import {
  type Answer,
  type Condition,
  type Definition,
  givenValue,
  type Item,
  isGiven,
  type Value,
} from './definition.ts';

/** Which items are asked, given the answers (FHIR's `enableWhen`). */

/**
 * The linkIds of the enabled items. The answer to a disabled item does not count. If a group is disabled, its items are
 * disabled, too.
 */
export function enabledItems({ items }: Pick<Definition, 'items'>, answers: readonly Answer[]): Set<string> {
  const given = new Map(answers.filter(isGiven).map((answer) => [answer.linkId, answer]));
  const enabled = new Set<string>();
  // A condition is about an earlier item, so one pass in order is enough.
  for (const item of items) {
    const isInEnabledGroup = item.groupId === undefined || enabled.has(item.groupId);
    const known = (linkId: string) => (enabled.has(linkId) ? given.get(linkId) : undefined);
    if (isInEnabledGroup && isAsked(item, known)) enabled.add(item.linkId);
  }
  return enabled;
}

function isAsked({ enableWhen = [], enableBehavior = 'all' }: Item, known: (linkId: string) => Value | undefined) {
  if (enableWhen.length === 0) return true;
  const holds = (condition: Condition) => isMet(condition, known(condition.linkId));
  return enableBehavior === 'all' ? enableWhen.every(holds) : enableWhen.some(holds);
}

function isMet({ operator, ...wanted }: Condition, answer: Value | undefined): boolean {
  if (operator === 'exists') return (answer !== undefined) === (wanted.boolean ?? true);
  const [value, other] = [answer && givenValue(answer), givenValue(wanted)];
  if (value === undefined || other === undefined) return false;
  if (operator === '=') return value === other;
  if (operator === '!=') return value !== other;
  // Dates and times of the same form can be compared as text.
  if (operator === '>') return value > other;
  if (operator === '<') return value < other;
  return operator === '>=' ? value >= other : value <= other;
}

/** Removes the answers to items that are not asked, and empty answers. */
export function enabledAnswers(definition: Pick<Definition, 'items'>, answers: readonly Answer[]): Answer[] {
  const enabled = enabledItems(definition, answers);
  return answers.filter((answer) => enabled.has(answer.linkId) && isGiven(answer));
}
