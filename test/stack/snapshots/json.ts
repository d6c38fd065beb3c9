export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

/** The one key of what is a text of JSON in the template: `{"(json)": {…}}`. */
export const jsonText = '(json)';

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true;
  return typeof one === 'object' && typeof other === 'object' && JSON.stringify(one) === JSON.stringify(other);
}

/** @param change is given each text inside, but no key */
export function mapTexts(value: Json, change: (text: string) => Json): Json {
  if (typeof value === 'string') return change(value);
  return mapInner(value, (inner) => mapTexts(inner, change));
}

/** The same list or object with other items or members. */
export function mapInner(value: Json, change: (inner: Json) => Json): Json {
  if (isArray(value)) return value.map(change);
  if (!isObject(value)) return value;
  // Templates have a hundred thousand members: with Object.entries this takes three times as long.
  const made: Record<string, Json> = {};
  for (const key in value) made[key] = change(value[key] ?? null);
  return made;
}
