import * as z from 'zod/mini';

/** Forms of JSON Schema from which client generators make good code, in place of forms that they handle badly. */

export type Json = { [key: string]: unknown };

/** Which way a value travels: what a client may send differs from what it gets. */
export type Direction = 'input' | 'output';

export const componentPath = '#/components/schemas/';

/**
 * A value that an app does not know yet must not crash it: an answer's enumeration is a text, and the description lists the
 * known values.
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

/** What the server refuses of a text and zod has no word for: an empty one, a blank one. */
export function refused(schema: z.core.$ZodType, says: Json): Json {
  if (['pattern', 'format', 'enum', 'const', 'x-known-values'].some((word) => word in says)) return {};
  const refuses = (text: string) => !z.safeParse(schema, text).success;
  if (!refuses('')) return {};
  return { minLength: says.minLength ?? 1, ...(refuses('   ') && !refuses('xxx') && { pattern: '\\S' }) };
}

/**
 * Several kinds of object that one field tells apart, as one object with all their fields: clients of strict languages have
 * no class for the union. What each kind needs the description says, and the server checks.
 *
 * @throws an Error where two kinds mean different things by one name
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

/** `null` beside a type where there is one: of `anyOf` generators make a class of its own. A reference to an object keeps it. */
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
