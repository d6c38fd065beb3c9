import fc from 'fast-check';
import { resolved, type Schema } from './document.ts';
import type { Seen } from './seen.ts';
import { wild } from './wild.ts';

/** Values of a JSON schema of the document: those that fit, and those that nearly do. */

export function fitting(given: Schema, seen: Seen): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  const { type, anyOf, oneOf } = schema;
  const alternatives = anyOf ?? oneOf;
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (alternatives) return fc.oneof(...alternatives.map((each) => fitting(each, seen)));
  if (Array.isArray(type)) return fc.oneof(...type.map((each: string) => fitting({ ...schema, type: each }, seen)));
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case 'array':
      return arrays(schema, fitting(schema.items ?? {}, seen));
    case 'object':
      return objects(schema, seen);
    case 'string':
      return strings(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function arrays({ minItems = 0, maxItems = 5 }: Schema, items: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.array(items, { minLength: minItems, maxLength: Math.min(maxItems, 5) });
}

/** `versionIds` holds what was seen as `versionId`. */
function field(name: string, given: Schema, seen: Seen): fc.Arbitrary<unknown> {
  const schema = resolved(given);
  const inner = schema.type === 'array' && name.endsWith('s') ? schema.items : undefined;
  return inner && mayBeText(inner)
    ? arrays(schema, seen.orElse(name.slice(0, -1), fitting(inner, seen)))
    : fitting(schema, seen);
}

/** What was seen is text: a site's `phone` is none of the `phones` of a simulation. */
function mayBeText(given: Schema): boolean {
  const { type } = resolved(given);
  return type === undefined || type === 'string' || (Array.isArray(type) && type.includes('string'));
}

function objects({ properties = {}, required = [], propertyNames, additionalProperties }: Schema, seen: Seen) {
  const fields = Object.entries(properties).map(([name, inner]) => {
    const fit = field(name, inner, seen);
    return [name, mayBeText(inner) ? seen.orElse(name, fit) : fit];
  });
  const declared = fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [...required],
  });
  // Of kinds that one field tells apart, no schema says which others belong together.
  const [first = ''] = required;
  if (required.length > 1 || properties[first]?.enum) return seen.objectOrElse(required, declared);
  if (typeof additionalProperties !== 'object') return declared;
  const names = fitting(propertyNames ?? { type: 'string' }, seen) as fc.Arbitrary<string>;
  const further = fc.dictionary(names, fitting(additionalProperties, seen), { maxKeys: 3 });
  return fc.tuple(further, declared).map(([more, known]) => ({ ...more, ...known }));
}

function strings({
  pattern,
  format,
  minLength = 0,
  maxLength = Number.POSITIVE_INFINITY,
}: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.date({ noInvalidDate: true, ...years }).map((date) => date.toISOString());
  if (format === 'uri') return fc.webUrl();
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 60) });
  const whole = new RegExp(pattern);
  // fast-check knows no look-ahead; what is made without it is looked at again.
  const loose = new RegExp(pattern.replace(/\(\?=[^()]*\)/g, ''));
  return fc.stringMatching(loose).filter((text) => text.length <= maxLength && whole.test(text));
}

const years = { min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') };

/** A fitting value with one thing wrong: a part gone, a part replaced, or a part too many. */
export function nearly(schema: Schema, seen: Seen): fc.Arbitrary<unknown> {
  return fc
    .tuple(fitting(schema, seen), wild, fc.nat(1000), fc.constantFrom('drop', 'replace', 'replace', 'add'), fc.string())
    .map(([value, other, at, change, name]) => {
      const whole = { value: structuredClone(value) };
      const places = placesIn(whole);
      const [holder, key] = places[at % places.length] ?? [whole, 'value'];
      if (change === 'replace') Reflect.set(holder, key, other);
      else if (change === 'drop' && holder !== whole) Reflect.deleteProperty(holder, key);
      else if (typeof whole.value === 'object' && whole.value !== null) Object.assign(whole.value, { [name]: other });
      return whole.value;
    });
}

/** Every part of a value, as the object that holds it and its name there. */
function placesIn(holder: object): [object, string][] {
  return Object.entries(holder).flatMap(([key, inner]): [object, string][] => [
    [holder, key],
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner) : []),
  ]);
}
