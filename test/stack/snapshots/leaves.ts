import { isArray, isObject, type Json, jsonText } from './json.ts';
import { type Path, pathOf, withStep } from './paths.ts';

/** The text of a path → what stands there: a text, a number, a list. A list of one object is no leaf: what is inside is. */
export type Leaves = ReadonlyMap<string, Json>;

export function leavesOf(value: Json): Leaves {
  const leaves = new Map<string, Json>();
  const add = (inner: Json, path: string): void => {
    const only = isArray(inner) && inner.length === 1 ? inner[0] : undefined;
    if (isObject(only)) add(only, withStep(path, 0));
    else if (!isObject(inner) || jsonText in inner || (Object.keys(inner).length === 0 && path !== '')) {
      leaves.set(path, inner);
    } else for (const key in inner) add(inner[key] ?? null, withStep(path, key));
  };
  add(value, '');
  return leaves;
}

/** The inverse of `leavesOf`. */
export function fromLeaves(leaves: Leaves): Json {
  return [...leaves].reduce<Json>((whole, [path, leaf]) => put(whole, pathOf(path), leaf), {});
}

/** @returns the value, which is changed where it is a list or an object */
export function put(into: Json | undefined, path: Path, leaf: Json, from = 0): Json {
  const step = path[from];
  if (step === undefined) return leaf;
  if (step === 0) return [put(isArray(into) ? into[0] : undefined, path, leaf, from + 1)];
  const object = (isObject(into) ? into : {}) as Record<string, Json>;
  object[String(step)] = put(object[String(step)], path, leaf, from + 1);
  return object;
}
