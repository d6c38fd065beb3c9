import * as z from 'zod/mini';
import { Metadata } from './collection.ts';
import {
  AppVersion,
  HttpsAddress,
  Id,
  Instant,
  KnownLocale,
  Locale,
  notFoundErrors,
  QueryInstant,
  Sha256,
  Timestamp,
  WantedLocale,
} from './fields.ts';
import { componentPath, type Direction, flat, type Json, nullableInPlace, openEnums, refused } from './schema-forms.ts';

/** The JSON Schemas (2020-12, as OpenAPI 3.1 has them) of the declarations' zod schemas. */

type Schema = z.core.$ZodType;
type Meta = { id: string } & Json;

const shared: readonly (readonly [Schema, Meta])[] = [
  [Id, { id: 'Id', description: 'An id that the service made.', examples: ['terms-of-service'] }],
  [
    Timestamp,
    { id: 'Timestamp', description: 'ISO 8601 in UTC with milliseconds.', examples: ['2026-03-01T08:30:00.000Z'] },
  ],
  [Locale, { id: 'Locale', description: 'A BCP 47 language tag.', examples: ['de-AT'] }],
  [AppVersion, { id: 'AppVersion', description: 'One to four numbers; then as SemVer 2.', examples: ['2.1.0'] }],
  [Sha256, { id: 'Sha256', description: 'A SHA-256 in lower-case hexadecimal.' }],
  [
    Metadata,
    {
      id: 'Metadata',
      description: 'The position of the page in the collection; `nextCursor` is null on the last page.',
    },
  ],
];

/** A language tag from a client: as `Locale`, and with the underscore of Android's and Apple's names. */
const wanted = { maxLength: 35, pattern: '^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$', examples: ['de-AT'] };

const instant = { format: 'date-time', description: 'Any RFC 3339 instant.', examples: ['2026-03-01T09:30:00+01:00'] };

/** Rules of a schema that zod does not write into JSON Schema. */
const demands: readonly SchemaNote[] = [
  [WantedLocale, wanted],
  [KnownLocale, wanted],
  [HttpsAddress, { pattern: '^https://' }],
  [Instant, instant],
  [QueryInstant, instant],
];

/** The document's additions to the JSON Schema that zod makes. */
export type SchemaNote = readonly [schema: Schema, says: Json];

export type Model = { readonly name: string; readonly schema: Schema };

type Named = { readonly name: string; readonly schema?: Schema | undefined; readonly direction: Direction };

/**
 * @param operations the schemas of requests and answers, which become components under the names given here
 * @param models the schemas that have their own name, which is used wherever they are used
 * @throws an Error where two different schemas have one name, or where a request's and an answer's schema of one name
 * differ
 */
export function schemaBook(
  operations: readonly Named[],
  models: readonly Model[] = [],
  notes: readonly SchemaNote[] = [],
) {
  const names = new Map<Schema, string>();
  const owners = new Map<string, Schema>();
  const enter = (schema: Schema, name: string) => {
    if (names.has(schema)) return;
    if (owners.has(name)) throw new Error(`two schemas are named ${name}`);
    owners.set(name, schema);
    names.set(schema, name);
  };
  for (const [schema, { id }] of shared) enter(schema, id);
  for (const { schema, name } of models) enter(schema, name);
  for (const { schema, name } of operations) if (schema) enter(required(schema), name);

  const said = new Map<Schema, Json>(
    [...shared, ...demands, ...notes].map(([schema, { id, ...says }]) => [schema, says]),
  );
  const converted = { input: convert(names, said, 'input'), output: convert(names, said, 'output') };
  const roots = (wanted: Direction) =>
    operations.flatMap(({ schema, direction }) => {
      return schema && direction === wanted ? [names.get(required(schema)) ?? ''] : [];
    });
  const components = merged(
    reachedFrom(roots('input'), converted.input),
    reachedFrom([...roots('output'), ...shared.map(([, { id }]) => id)], converted.output),
  );

  return {
    components,
    /** A reference to the component. */
    ref(schema: Schema): Json {
      const name = names.get(required(schema));
      if (!name) throw new Error('the schema is no component');
      return { $ref: `${componentPath}${name}` };
    },
    /** A parameter's schema, for the value that its text means: the output, if JSON Schema can express it. */
    inline(parameter: Schema): Json {
      const schema = required(parameter);
      const name = names.get(schema) ?? (isPathId(schema) ? 'Id' : undefined);
      if (name) return { $ref: `${componentPath}${name}` };
      const says = said.get(schema);
      if (says) return { type: 'string', ...says };
      const made = (io: Direction) =>
        bare(z.toJSONSchema(schema, { ...options(io, said), override: (each) => override(each, 'input', said) }));
      try {
        return made('output');
      } catch {
        return made('input');
      }
    },
  };
}

export type SchemaBook = ReturnType<typeof schemaBook>;

function isPathId(schema: Schema): boolean {
  return notFoundErrors.has(schema) && schema._zod.def.type === 'string';
}

function convert(names: ReadonlyMap<Schema, string>, said: ReadonlyMap<Schema, Json>, direction: Direction) {
  const book = z.registry<{ id: string }>();
  for (const [schema, id] of names) book.add(schema, { id });
  const { schemas } = z.toJSONSchema(book, { ...options(direction, said), uri: (id) => `${componentPath}${id}` });
  const all = Object.entries(JSON.parse(JSON.stringify(schemas)) as Record<string, Json>);
  const plain = Object.fromEntries(all.map(([id, schema]) => [id, bare(schema)]));
  return Object.fromEntries(Object.entries(plain).map(([id, schema]) => [id, nullableInPlace(schema, plain) as Json]));
}

function options(io: Direction, said: ReadonlyMap<Schema, Json>) {
  return {
    io,
    target: 'draft-2020-12',
    override: (each: Converted) => override(each, io, said),
  } as const;
}

type Converted = { zodSchema: z.core.$ZodTypes; jsonSchema: Json };

function override({ zodSchema, jsonSchema }: Converted, direction: Direction, said: ReadonlyMap<Schema, Json>): void {
  // Answers may get new fields: a generated client that refuses unknown ones would break at each addition.
  if (zodSchema._zod.def.type === 'object' && !zodSchema._zod.def.catchall) delete jsonSchema.additionalProperties;
  // zod's own pattern for a date-time has 300 characters, and says only what the format says.
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern;
  if (jsonSchema.type === 'integer') numbered(jsonSchema);
  if (
    Object(jsonSchema.propertyNames).type === 'string' &&
    Object.keys(Object(jsonSchema.propertyNames)).length === 1
  ) {
    delete jsonSchema.propertyNames;
  }
  if (direction === 'output') openEnums(jsonSchema);
  if (jsonSchema.type === 'string') Object.assign(jsonSchema, refused(zodSchema, jsonSchema));
  if (jsonSchema.oneOf && direction === 'input') flat(jsonSchema);
  Object.assign(jsonSchema, said.get(zodSchema));
}

/** zod writes the same bounds for every integer, and they say nothing. The number of bits tells a client which type to use. */
function numbered(schema: Json): void {
  const { minimum, maximum } = schema;
  if (minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  schema.format = typeof schema.maximum === 'number' && schema.maximum < 2 ** 31 ? 'int32' : 'int64';
}

function bare({ $schema, $id, id, '~standard': standard, ...schema }: Json): Json {
  return schema;
}

/** The components of these names, and all that they refer to. */
function reachedFrom(names: readonly string[], all: Readonly<Record<string, Json>>): Record<string, Json> {
  const reached: Record<string, Json> = {};
  const follow = (name: string): void => {
    const schema = all[name];
    if (!schema || reached[name]) return;
    reached[name] = schema;
    for (const [, other = ''] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) follow(other);
  };
  for (const name of names) follow(name);
  return reached;
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

/** The schema inside `z.optional`: OpenAPI writes `required` beside a schema, not in it. */
function required(schema: Schema): Schema {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'optional' ? required(def.innerType) : schema;
}
