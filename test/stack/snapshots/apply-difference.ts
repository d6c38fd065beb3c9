import { type Change, concerns, type Difference } from './difference.ts';
import { isArray, type Json, type JsonObject } from './json.ts';
import { type Parts, typeOf } from './parts.ts';
import { indexOf, pathText } from './paths.ts';

/** @returns the parts to which the difference leads */
export function applyDifference(before: Parts, { rules, changes, missing, only }: Difference): Parts {
  const gone = new Set(missing);
  const kept = [...before].filter(([part]) => !gone.has(part));
  const made = kept.map(([part, value]): [string, Json] => {
    const own = changes.get(part) ?? [];
    const others = new Set(own.map(({ path }) => pathText(path)));
    const ruled = rules.filter((rule) => {
      return rule.type === typeOf(part) && !others.has(pathText(rule.path)) && concerns(rule, value);
    });
    return [part, [...ruled, ...own].reduce(withChange, value)];
  });
  return new Map([...made, ...only]);
}

function withChange(value: Json, change: Change): Json {
  const { path, before, after } = change;
  const [step, ...rest] = path;
  if (before === after) return value;
  if (step === undefined) return after ?? null;
  const isHere = rest.length === 0;
  if (isArray(value)) {
    const at = indexOf(value, step);
    const items = !isHere
      ? [withChange(value[at] ?? null, { ...change, path: rest })]
      : after === undefined
        ? []
        : [after];
    return value.toSpliced(at, isHere && before === undefined ? 0 : 1, ...items);
  }
  const { [String(step)]: inner = null, ...others } = value as JsonObject;
  if (isHere && after === undefined) return others;
  // The key keeps its place.
  return {
    ...(value as JsonObject),
    [String(step)]: isHere ? (after ?? null) : withChange(inner, { ...change, path: rest }),
  };
}
