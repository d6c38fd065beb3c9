import * as z from 'zod/mini';
import { Metadata } from './collection.ts';
import { AppVersion, Id, Locale, notFoundErrors, Sha256, Timestamp } from './fields.ts';

/** The JSON Schemas (2020-12, as OpenAPI 3.1 has them) of the declarations' zod schemas. */

export type Json = { [key: string]: unknown };
type Schema = z.core.$ZodType;
type Meta = { id: string; description?: string; examples?: unknown[] };

/** Which way a value travels: what a client may send differs from what it gets where a schema transforms. */
type Direction = 'input' | 'output';

const shared: [Schema, Meta][] = [
  [Id, { id: 'Id', description: 'An id that the service made.', examples: ['terms-of-service'] }],
  [
    Timestamp,
    { id: 'Timestamp', description: 'ISO 8601 in UTC with milliseconds.', examples: ['2026-03-01T08:30:00.000Z'] },
  ],
  [Locale, { id: 'Locale', description: 'A BCP 47 language tag.', examples: ['de-AT'] }],
  [AppVersion, { id: 'AppVersion', description: 'One to four numbers; then as SemVer 2.', examples: ['2.1.0'] }],
  [Sha256, { id: 'Sha256', description: 'A SHA-256 in lower-case hexadecimal.' }],
  [Metadata, { id: 'Metadata', description: 'Where a page stands; `nextCursor` is null on the last one.' }],
];

export const componentPath = '#/components/schemas/';

/**
 * @param named the schemas that become components, by the name they get unless their own metadata names them
 * @throws an Error where two different schemas claim one name
 */
export function schemaBook(named: readonly { name: string; schema?: Schema | undefined; direction: Direction }[]) {
  const books = { input: z.registry<Meta>(), output: z.registry<Meta>() };
  const owners = new Map<string, Schema>();
  const enter = (schema: Schema, meta: Meta, direction: Direction) => {
    const owner = owners.get(meta.id);
    if (owner && owner !== schema) throw new Error(`two schemas are named ${meta.id}`);
    owners.set(meta.id, schema);
    if (!books[direction].has(schema)) books[direction].add(schema, meta);
  };
  for (const direction of ['input', 'output'] as const) {
    for (const [schema, meta] of shared) enter(schema, meta, direction);
  }
  for (const { name, schema: declared, direction } of named) {
    if (!declared) continue;
    const schema = required(declared);
    const own = z.globalRegistry.get(schema);
    enter(schema, { ...own, id: own?.id ?? books[direction].get(schema)?.id ?? name }, direction);
  }
  const components = merged(converted(books.input, 'input'), converted(books.output, 'output'));

  return {
    components,
    /** A reference to the component. */
    ref(schema: Schema, direction: Direction): Json {
      const id = books[direction].get(required(schema))?.id;
      if (!id) throw new Error('the schema is no component');
      return { $ref: `${componentPath}${id}` };
    },
    /** A parameter's schema: what its text stands for, which is the output where JSON Schema can say it. */
    inline(parameter: Schema): Json {
      const schema = required(parameter);
      const id = books.output.get(schema)?.id ?? (isPathId(schema) ? 'Id' : undefined);
      if (id) return { $ref: `${componentPath}${id}` };
      try {
        return bare(z.toJSONSchema(schema, options('output')));
      } catch {
        return bare(z.toJSONSchema(schema, options('input')));
      }
    },
  };
}

export type SchemaBook = ReturnType<typeof schemaBook>;

function isPathId(schema: Schema): boolean {
  return notFoundErrors.has(schema) && schema._zod.def.type === 'string';
}

type Book = ReturnType<typeof z.registry<Meta>>;

function converted(book: Book, direction: Direction): Record<string, Json> {
  const { schemas } = z.toJSONSchema(book, { ...options(direction, book), uri: (id) => `${componentPath}${id}` });
  // Schemas that name themselves but are no operation's own come in a bag of zod's; they become components too.
  const { __shared: bag, ...own }: Record<string, Json> = JSON.parse(
    JSON.stringify(schemas).replaceAll(`${componentPath}__shared#/$defs/`, componentPath),
  );
  const all = { ...own, ...(bag?.$defs as Record<string, Json> | undefined) };
  return Object.fromEntries(Object.entries(all).map(([id, schema]) => [id, bare(schema)]));
}

function options(io: Direction, book?: Book) {
  return {
    io,
    target: 'draft-2020-12',
    override: ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: Json }) => {
      const { id, ...meta } = book?.get(zodSchema) ?? {};
      if (id) Object.assign(jsonSchema, meta);
      // Answers may gain fields: a generated client that refuses unknown ones would break at each addition.
      if (zodSchema._zod.def.type === 'object' && !zodSchema._zod.def.catchall) delete jsonSchema.additionalProperties;
      // zod's own pattern for a date-time is 300 characters that say what the format says.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    },
  } as const;
}

function bare({ $schema, $id, id, '~standard': standard, ...schema }: Json): Json {
  return schema;
}

function merged(inputs: Record<string, Json>, outputs: Record<string, Json>): Record<string, Json> {
  for (const [id, schema] of Object.entries(inputs)) {
    const other = outputs[id];
    if (other && JSON.stringify(other) !== JSON.stringify(schema)) {
      throw new Error(`${id} is sent and answered in different shapes: two schemas are needed`);
    }
  }
  return { ...inputs, ...outputs };
}

/** What is inside `z.optional`; whether something is required stands beside its schema in OpenAPI, not in it. */
function required(schema: Schema): Schema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'optional' ? required(def.innerType) : schema;
}
