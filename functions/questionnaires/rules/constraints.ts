import { type Answer, type Constraint, type Definition, isIn } from './definition.ts';
import { scoresOf } from './scoring.ts';

/** Which answers contradict each other, such as more hours of sleep than in bed. Pure. */

export type Unmet = {
  readonly constraint: Constraint;
  /** The items from which its score is computed, also through other scores. */
  readonly linkIds: readonly string[];
};

/** A score without a value contradicts nothing: `missingAnswers` reports what is missing. */
export function unmetConstraints(definition: Definition, answers: readonly Answer[]): Unmet[] {
  const { constraints = [] } = definition;
  if (constraints.length === 0) return [];
  const values = new Map(scoresOf(definition, answers).map(({ scoreId, value }) => [scoreId, value]));
  return constraints.flatMap((constraint): Unmet[] => {
    const value = values.get(constraint.score) ?? null;
    if (value === null || isIn(value, constraint)) return [];
    return [{ constraint, linkIds: itemsOf(definition, constraint.score) }];
  });
}

/** A score uses only earlier scores. So one pass from the last to the first visits each score once. */
function itemsOf({ items, scores }: Definition, scoreId: string): string[] {
  const [madeOf, found] = [new Set([scoreId]), new Set<string>()];
  for (const score of scores.toReversed()) {
    if (!madeOf.has(score.scoreId)) continue;
    for (const input of score.of) {
      if (input.score !== undefined) madeOf.add(input.score);
      if (input.item !== undefined) found.add(input.item);
    }
  }
  return items.flatMap(({ linkId }) => (found.has(linkId) ? [linkId] : []));
}
