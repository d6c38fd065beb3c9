import { isArray, isSame, type Json } from './json.ts';
import type { Leaves } from './leaves.ts';
import { typeOf } from './parts.ts';

/** What nearly all parts of a type have, which is written once. */
export type Commons = {
  readonly leaves: Leaves;
  /** Of lists, the items with which they begin. */
  readonly beginnings: ReadonlyMap<string, readonly Json[]>;
};

/** A part beside what its type has in common. */
export type Own = {
  readonly leaves: Leaves;
  /** What follows the common beginning of a list. */
  readonly continued: ReadonlyMap<string, readonly Json[]>;
  /** Paths of common leaves that the part has not. */
  readonly absent: readonly string[];
};

export const noCommons: Commons = { leaves: new Map(), beginnings: new Map() };

const fewest = 4;
const nearlyAll = 4 / 5;

/** @returns by type */
export function commonsOf(parts: ReadonlyMap<string, Leaves>): ReadonlyMap<string, Commons> {
  const ofType = Map.groupBy(parts, ([part]) => typeOf(part));
  const found = [...ofType].map(([type, all]): [string, Commons] => {
    return [type, all.length < fewest ? noCommons : common(all.map(([, leaves]) => leaves))];
  });
  return new Map(found);
}

function common(all: readonly Leaves[]): Commons {
  const enough = all.length * nearlyAll;
  const byPath = Map.groupBy(
    all.flatMap((leaves) => [...leaves]),
    ([path]) => path,
  );
  const leaves = new Map<string, Json>();
  const beginnings = new Map<string, readonly Json[]>();
  for (const [path, found] of byPath) {
    const values = found.map(([, value]) => value);
    if (values.length < enough) continue;
    const most = mostFrequent(values);
    if (most.times >= enough) leaves.set(path, most.value);
    else {
      const beginning = beginningOf(values.filter(isArray), enough);
      if (beginning.length > 0) beginnings.set(path, beginning);
    }
  }
  return { leaves, beginnings };
}

function beginningOf(lists: readonly (readonly Json[])[], enough: number): readonly Json[] {
  const beginning: Json[] = [];
  let alike = lists;
  while (alike.length >= enough) {
    const at = beginning.length;
    const { value, times } = mostFrequent(alike.filter((list) => list.length > at).map((list) => list[at] ?? null));
    if (times < enough) break;
    alike = alike.filter((list) => list.length > at && isSame(list[at], value));
    beginning.push(value);
  }
  return beginning;
}

function mostFrequent(values: readonly Json[]): { value: Json; times: number } {
  const times = new Map<string, number>();
  for (const value of values) {
    const text = JSON.stringify(value);
    times.set(text, (times.get(text) ?? 0) + 1);
  }
  const [text, count] = [...times].reduce((most, each) => (each[1] > most[1] ? each : most), ['null', 0]);
  return { value: JSON.parse(text) as Json, times: count };
}

export function ownOf(all: Leaves, { leaves: common, beginnings }: Commons): Own {
  const leaves = new Map<string, Json>();
  const continued = new Map<string, readonly Json[]>();
  for (const [path, leaf] of all) {
    const beginning = beginnings.get(path);
    if (isSame(common.get(path), leaf)) continue;
    if (beginning && isArray(leaf) && isSame(leaf.slice(0, beginning.length), beginning)) {
      continued.set(path, leaf.slice(beginning.length));
    } else leaves.set(path, leaf);
  }
  return { leaves, continued, absent: [...common.keys()].filter((path) => !all.has(path)) };
}

/** The inverse of `ownOf`. */
export function wholeOf({ leaves, continued, absent }: Own, commons: Commons): Leaves {
  const all = new Map([...commons.leaves, ...leaves]);
  for (const path of absent) all.delete(path);
  for (const [path, items] of continued) all.set(path, [...(commons.beginnings.get(path) ?? []), ...items]);
  return all;
}
