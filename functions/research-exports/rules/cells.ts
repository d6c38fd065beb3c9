/**
 * A cell is the group of participants who have the same values of all quasi-identifiers. A cell is small if it has fewer than five
 * participants. The study declares for each quasi-identifier what happens then. Pure.
 *
 * 1. `generalise`: the values of all participants are made coarser, until no cell is small or no coarser value is left. If several
 *    fields can be made coarser, the one with the most different values is first. The coarsest value is null.
 * 2. `suppress`: the value is left out for the participants of cells that are still small.
 * 3. `refuse`: the export fails if a participant with such a value is still in a small cell.
 */

export const smallest = 5;

export type Rule = { readonly field: string; readonly smallCells: 'generalise' | 'suppress' | 'refuse' };

export type Values = Readonly<Record<string, string | null>>;

export type Decision = {
  /** For each field, how many times its values were made coarser; 0 if they are unchanged. */
  readonly levels: Readonly<Record<string, number>>;
  /** Participants for whom a value was left out. */
  readonly suppressed: number;
  readonly isRefused: boolean;
  /** One for each participant, in their order. */
  readonly values: readonly Values[];
};

/** What a study declares, and always the group: somebody who invites one person into a separate group could find the person by it. */
export function cellRulesOf(declared: readonly Rule[]): Rule[] {
  const isDeclared = declared.some(({ field }) => field === 'group');
  return isDeclared ? [...declared] : [...declared, { field: 'group', smallCells: 'suppress' }];
}

/** For each field, the functions that make a value coarser, step by step; the last one returns null. */
const ladders: Readonly<Record<string, readonly ((value: string) => string | null)[]>> = {
  // `Europe/Berlin` → `Europe`
  timezone: [(value) => value, (value) => value.split('/')[0] ?? null, () => null],
  // `de-AT` → `de`
  locale: [(value) => value, (value) => value.split('-')[0] ?? null, () => null],
};
const plain = [(value: string) => value, () => null];

export function decideCells(rules: readonly Rule[], participants: readonly Values[]): Decision {
  const levels: Record<string, number> = Object.fromEntries(rules.map(({ field }) => [field, 0]));
  const at = () => participants.map((values) => generalised(rules, levels, values));
  let values = at();
  while (smallCellsOf(rules, values).size > 0) {
    const next = coarsened(rules, levels, values);
    if (next === null) break;
    levels[next] = (levels[next] ?? 0) + 1;
    values = at();
  }
  const small = smallCellsOf(rules, values);
  const hidden = rules.filter(({ smallCells }) => smallCells === 'suppress').map(({ field }) => field);
  const left = rules.filter(({ field }) => !hidden.includes(field));
  // A value that is left out could be any value. So participants with the same other values cannot be distinguished.
  const alike = countsOf(left, values);
  const empty = cellOf(left, {});
  let [suppressed, isRefused] = [0, false];
  const shown = values.map((one) => {
    if (!small.has(cellOf(rules, one))) return one;
    const cell = cellOf(left, one);
    isRefused ||= cell !== empty && (alike.get(cell) ?? 0) < smallest;
    if (hidden.every((field) => one[field] === null)) return one;
    suppressed += 1;
    return { ...one, ...Object.fromEntries(hidden.map((field) => [field, null])) };
  });
  return { levels, suppressed, isRefused, values: shown };
}

function generalised(rules: readonly Rule[], levels: Readonly<Record<string, number>>, values: Values): Values {
  return Object.fromEntries(
    rules.map(({ field }) => {
      const value = values[field] ?? null;
      const step = (ladders[field] ?? plain)[levels[field] ?? 0];
      return [field, value === null || !step ? null : step(value)];
    }),
  );
}

/** The field whose values are made coarser next; null if there is none. */
function coarsened(
  rules: readonly Rule[],
  levels: Readonly<Record<string, number>>,
  values: readonly Values[],
): string | null {
  const possible = rules.filter(({ field, smallCells }) => {
    const isTop = (levels[field] ?? 0) >= (ladders[field] ?? plain).length - 1;
    return smallCells === 'generalise' && !isTop;
  });
  const variety = (field: string) => new Set(values.map((one) => one[field])).size;
  // The sort is stable: fields with equally many values stay in their declared order.
  return possible.toSorted((one, other) => variety(other.field) - variety(one.field))[0]?.field ?? null;
}

function cellOf(rules: readonly Rule[], values: Values): string {
  return JSON.stringify(rules.map(({ field }) => values[field] ?? null));
}

function countsOf(rules: readonly Rule[], values: readonly Values[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of values) counts.set(cellOf(rules, one), (counts.get(cellOf(rules, one)) ?? 0) + 1);
  return counts;
}

/** A cell without any value is never small: it says nothing about anybody. */
function smallCellsOf(rules: readonly Rule[], values: readonly Values[]): Set<string> {
  const empty = cellOf(rules, {});
  const counts = [...countsOf(rules, values)];
  return new Set(counts.filter(([cell, count]) => count < smallest && cell !== empty).map(([cell]) => cell));
}
