import type { Json } from './json.ts';

/** An item of one list beside its counterpart in another; one of them is missing where it is only in the other. */
export type Pair = { readonly before?: Json; readonly after?: Json };

/**
 * Two lists in their order, as few items as possible without a counterpart. Between counterparts, items at the same place
 * are taken as changed.
 *
 * @param identity those of counterparts are the same
 */
export function pairsOf(before: readonly Json[], after: readonly Json[], identity: (item: Json) => string): Pair[] {
  const [old, now] = [before.map(identity), after.map(identity)];
  const longest = commonLengths(old, now);
  const found: Pair[] = [];
  let gap: { before: Json[]; after: Json[] } = { before: [], after: [] };
  const closeGap = () => {
    const length = Math.max(gap.before.length, gap.after.length);
    for (let at = 0; at < length; at += 1) found.push(pair(gap.before[at], gap.after[at]));
    gap = { before: [], after: [] };
  };
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    if (one < before.length && other < after.length && old[one] === now[other]) {
      closeGap();
      found.push(pair(before[one], after[other]));
      one += 1;
      other += 1;
    } else if ((longest[one + 1]?.[other] ?? -1) >= (longest[one]?.[other + 1] ?? -1)) {
      gap.before.push(...before.slice(one, one + 1));
      one += 1;
    } else {
      gap.after.push(...after.slice(other, other + 1));
      other += 1;
    }
  }
  closeGap();
  return found;
}

function pair(before: Json | undefined, after: Json | undefined): Pair {
  return { ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
}

/** How many items the rests of both lists have in common, from each place in one and the other. */
function commonLengths(before: readonly string[], after: readonly string[]): number[][] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let one = before.length - 1; one >= 0; one -= 1) {
    const [row = [], next = []] = [lengths[one], lengths[one + 1]];
    for (let other = after.length - 1; other >= 0; other -= 1) {
      const isSame = before[one] === after[other];
      row[other] = isSame ? (next[other + 1] ?? 0) + 1 : Math.max(next[other] ?? 0, row[other + 1] ?? 0);
    }
  }
  return lengths;
}
