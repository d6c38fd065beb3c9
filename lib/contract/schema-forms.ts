import * as z from 'zod/mini';

/** Replaces forms of JSON Schema that client generators handle badly with forms that give good code. */

export type Json = { [key: string]: unknown };

/** The direction of a value: the schema of a request differs from that of an answer. */
export type Direction = 'input' | 'output';

export const componentPath = '#/components/schemas/';

/**
 * A value that an app does not know yet must not crash it. So in an answer an enumeration becomes a text, and the
 * description lists the known values.
 */
export function openEnums(schema: Json): void {
  if ('const' in schema) {
    if (typeof schema.const === 'boolean') schema.description = `Always ${schema.const}.`;
    else known(schema, [schema.const]);
    delete schema.const;
  }
  if (Array.isArray(schema.enum)) {
    known(schema, schema.enum);
    delete schema.enum;
  }
}

function known(schema: Json, values: readonly unknown[]): void {
  schema.description = `Known values: ${values.map((value) => `\`${value}\``).join(', ')}; more may come.`;
  schema['x-known-values'] = values;
}

/** Refused texts that zod cannot express in JSON Schema: an empty one, a blank one. */
export function refused(schema: z.core.$ZodType, says: Json): Json {
  if (['pattern', 'format', 'enum', 'const', 'x-known-values'].some((word) => word in says)) return {};
  const refuses = (text: string) => !z.safeParse(schema, text).success;
  if (!refuses('')) return {};
  return { minLength: says.minLength ?? 1, ...(refuses('   ') && !refuses('xxx') && { pattern: '\\S' }) };
}

/**
 * Merges several kinds of object, which one field distinguishes, into one object with all their fields. Clients in strict
 * languages have no class for the union. The description says which fields each kind needs, and the server checks it.
 *
 * @throws an Error where two kinds use the same name for different things
 */
export function flat(schema: Json): void {
  const kinds = schema.oneOf as { properties: Record<string, Json>; required: readonly string[] }[];
  const tag = Object.keys(kinds[0]?.properties ?? {}).find((name) =>
    kinds.every(({ properties }) => properties[name]?.const !== undefined),
  );
  if (tag === undefined) throw new Error('a union that no field tells apart');
  const properties: Record<string, Json> = {
    [tag]: { type: 'string', enum: kinds.map((kind) => kind.properties[tag]?.const) },
  };
  for (const kind of kinds) {
    for (const [name, property] of Object.entries(kind.properties)) {
      if (name === tag) continue;
      if (JSON.stringify(properties[name] ?? property) !== JSON.stringify(property))
        throw new Error(`two kinds of ${name}`);
      properties[name] = property;
    }
  }
  const needs = kinds.map((kind) => {
    const others = kind.required.filter((name) => name !== tag).map((name) => `\`${name}\``);
    return `\`${kind.properties[tag]?.const}\` needs ${others.join(' and ')}`;
  });
  delete schema.oneOf;
  Object.assign(schema, {
    type: 'object',
    description: `${needs.join('; ')}. What another \`${tag}\` needs is not looked at.`,
    properties,
    required: [tag],
  });
}

/** Writes `null` as a second type where there is one: generators make a class of its own from an `anyOf`. A reference to an object keeps `anyOf`. */
export function nullableInPlace(schema: unknown, components: Readonly<Record<string, Json>>): unknown {
  if (Array.isArray(schema)) return schema.map((each) => nullableInPlace(each, components));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { anyOf, ...others } = Object.fromEntries(
    Object.entries(schema).map(([name, inner]) => [name, nullableInPlace(inner, components)]),
  ) as Json;
  if (anyOf === undefined) return others;
  const [one, nothing, ...more] = anyOf as Json[];
  const name = typeof one?.$ref === 'string' ? one.$ref.slice(componentPath.length) : undefined;
  const plain = name === undefined ? one : components[name];
  if (nothing?.type !== 'null' || more.length > 0 || typeof plain?.type !== 'string') return { ...others, anyOf };
  if (name !== undefined && plain.type === 'object') return { ...others, anyOf };
  const values = Array.isArray(plain.enum) && { enum: [...plain.enum, null] };
  return { ...others, ...plain, ...values, type: [plain.type, 'null'] };
}
