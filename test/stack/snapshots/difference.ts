import { isArray, isObject, isSame, type Json, jsonText, mapTexts } from './json.ts';
import { pairsOf } from './lists.ts';
import { type Parts, typeOf } from './parts.ts';
import { isNamed, nameOf, type Path, pathText, valueAt } from './paths.ts';

/** What differs at a path of a part. Without `before` it is only here; without `after` it is missing. */
export type Change = { readonly path: Path; readonly before?: Json; readonly after?: Json };

/** A change of every part of a type that has `before` at the path and no change of its own there. */
export type Rule = Change & { readonly type: string };

export type Difference = {
  readonly rules: readonly Rule[];
  /** By part, in the order in which they are made. One with the same `before` and `after` is an exception of a rule. */
  readonly changes: ReadonlyMap<string, readonly Change[]>;
  readonly missing: readonly string[];
  readonly only: Parts;
};

/** The parts of prod with another environment's name in their texts. */
export function renamed(parts: Parts, environment: string): Parts {
  const name = (text: string) => text.replace(/\bprod\b/g, environment);
  return new Map([...parts].map(([part, value]) => [part, mapTexts(value, name)]));
}

/** How the second comes of the first. */
export function difference(before: Parts, after: Parts): Difference {
  const all = new Map<string, readonly Change[]>();
  for (const [part, value] of before) {
    const other = after.get(part);
    if (other !== undefined) all.set(part, isSame(value, other) ? [] : changesOf(value, other, []));
  }
  const rules = rulesOf(before, all);
  const changes = [...all].map(
    ([part, each]) => [part, withoutRules(before.get(part), each, rules.get(typeOf(part)) ?? [])] as const,
  );
  return {
    rules: [...rules.values()].flat(),
    changes: new Map(changes.filter(([, each]) => each.length > 0)),
    missing: [...before.keys()].filter((part) => !after.has(part)),
    only: new Map([...after].filter(([part]) => !before.has(part))),
  };
}

function changesOf(before: Json, after: Json, path: Path): Change[] {
  if (isArray(before) && isArray(after)) return changesOfList(before, after, path);
  if (!isObject(before) || !isObject(after)) return before === after ? [] : [{ path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  // The order of the keys belongs to a text.
  if (path.includes(jsonText) && !isSame(Object.keys(before), Object.keys(after))) return [{ path, before, after }];
  return keys.flatMap((key): Change[] => {
    const [one, other] = [before[key], after[key]];
    const at = [...path, key];
    if (one === undefined) return other === undefined ? [] : [{ path: at, after: other }];
    return other === undefined ? [{ path: at, before: one }] : changesOf(one, other, at);
  });
}

/** The changes lead from one list to the other if they are made in their order. */
function changesOfList(before: readonly Json[], after: readonly Json[], path: Path): Change[] {
  if (isSame(before, after)) return [];
  const areNamed = isNamed(before) && isNamed(after);
  const identity = (item: Json) => (areNamed ? nameOf(item) : undefined) ?? JSON.stringify(item);
  let at = -1;
  let last = '';
  return pairsOf(before, after, identity).flatMap((pair): Change[] => {
    const isNew = pair.before === undefined;
    at += 1;
    const step = areNamed ? (isNew ? { behind: last } : { item: identity(pair.before ?? null) }) : at;
    if (pair.after === undefined) at -= 1;
    else last = identity(pair.after);
    if (pair.before === undefined || pair.after === undefined) return [{ path: [...path, step], ...pair }];
    return changesOf(pair.before, pair.after, [...path, step]);
  });
}

const textOf = ({ path, before, after }: Change) =>
  JSON.stringify([path, before === undefined, after === undefined, before ?? null, after ?? null]);

/** By type: the changes that are fewer lines as a rule with its exceptions. */
function rulesOf(before: Parts, all: ReadonlyMap<string, readonly Change[]>): ReadonlyMap<string, readonly Rule[]> {
  const parts = Map.groupBy(all.keys(), typeOf);
  const rules = [...parts].map(([type, ofType]): [string, Rule[]] => {
    const alike = Map.groupBy(
      ofType.flatMap((part) => (all.get(part) ?? []).filter(canBeRule)),
      textOf,
    );
    const found = [...alike.values()].flatMap(([change, ...others]) => {
      if (!change) return [];
      const concerned = ofType.filter((part) => concerns(change, before.get(part))).length;
      const members = others.length + 1;
      return members > concerned - members + 1 ? [{ type, ...change }] : [];
    });
    return [type, found];
  });
  return new Map(rules);
}

/** Not what is in a list: its index depends on the part. */
function canBeRule({ path }: Change): boolean {
  return path.every((step) => typeof step === 'string');
}

/** Whether the part is as it is before the change. */
export function concerns({ path, before }: Change, part: Json | undefined): boolean {
  const there = valueAt(part, path);
  return before === undefined
    ? there === undefined && isObject(valueAt(part, path.slice(0, -1)))
    : isSame(there, before);
}

/** The part's own changes, with one that changes nothing where a rule does not hold. */
function withoutRules(part: Json | undefined, changes: readonly Change[], rules: readonly Rule[]): Change[] {
  const ruled = new Set(rules.map(textOf));
  const made = new Map(changes.map((change) => [pathText(change.path), textOf(change)]));
  const exceptions = rules.filter((rule) => concerns(rule, part) && !made.has(pathText(rule.path)));
  const own = changes.filter((change) => !ruled.has(textOf(change)));
  return [...exceptions.map(({ path, before }) => ({ path, before, after: before })), ...own];
}
