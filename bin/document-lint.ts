import type { OpenApiDocument } from '../lib/contract/openapi.ts';
import type { Json } from '../lib/contract/schema-forms.ts';

/**
 * Finds what breaks generated clients although the OpenAPI document is valid. Each rule comes from a failure of openapi-generator
 * 7.25 (Kotlin, Java, TypeScript, Swift). docs/clients.md says how clients are made.
 */

type SchemaContext = {
  /** A JSON pointer. */
  readonly at: string;
  /** `answer`: a client reads the schema. `request`: a client sends it. */
  readonly way: 'answer' | 'request';
  /** Whether the schema is a component, or is written in place in a parameter or property. */
  readonly isComponent: boolean;
};

type Rule = {
  readonly name: string;
  readonly why: string;
  readonly breaks: (schema: Json, context: SchemaContext) => boolean;
};

const isNull = (schema: unknown) => Object(schema).type === 'null';
const widest = Number.MAX_SAFE_INTEGER;

/** Rules for each schema, in any place. */
export const rules: readonly Rule[] = [
  {
    name: 'null-alone',
    why: 'generators refer to a model that they never write',
    breaks: (schema) => isNull(schema),
  },
  {
    name: 'boolean-constant',
    why: 'Kotlin makes an enumeration of texts from it: the call succeeds, and reading its answer throws',
    breaks: ({ type, const: only, enum: values }) =>
      typeof only === 'boolean' || ([type].flat().includes('boolean') && values !== undefined),
  },
  {
    name: 'union',
    why: 'Kotlin and Swift make an empty class, or guess; they understand only a nullable reference',
    breaks: ({ oneOf, anyOf }) => {
      if (oneOf !== undefined) return true;
      return (
        Array.isArray(anyOf) && !(anyOf.length === 2 && anyOf.some(isNull) && anyOf.some((each) => '$ref' in each))
      );
    },
  },
  {
    name: 'closed-answer',
    why: 'a value that is added later makes an installed app throw; list the present values in `x-known-values`',
    breaks: ({ enum: values, const: only }, { way }) =>
      way === 'answer' && (values !== undefined || only !== undefined),
  },
  {
    name: 'unnamed-object',
    why: 'its class is named after its place and changes with it: export the schema under a name',
    breaks: ({ properties }, { isComponent }) => properties !== undefined && !isComponent,
  },
  {
    name: 'widest-integer',
    why: '2^53 is a limit of JavaScript, not of the value; strict generators refuse it for 32 bits',
    breaks: ({ minimum, maximum }) => Number(minimum) <= -widest || Number(maximum) >= widest,
  },
  {
    name: 'integer-of-no-size',
    why: 'without a format it is 32 bits in Kotlin, Java and Swift',
    breaks: ({ type, format }) => [type].flat().includes('integer') && format !== 'int32' && format !== 'int64',
  },
];

/** Rules for the document as a whole. */
export const wholeRules: readonly { name: string; why: string; breaks: (document: OpenApiDocument) => string[] }[] = [
  {
    name: 'one-error',
    why: 'a schema for each code becomes a union that no client can read',
    breaks: ({ paths, components }) =>
      responsesIn(paths, components).flatMap(({ at, status, response }) => {
        const schema = Object(response).content?.['application/json']?.schema?.$ref;
        return Number(status) >= 400 && schema !== '#/components/schemas/Error' ? [at] : [];
      }),
  },
  {
    name: 'model-twice',
    why: 'an app cannot pass one where the other is expected',
    breaks: ({ components: { schemas = {} } }) => {
      const models = Object.entries(schemas).filter(([, schema]) => Object(schema).properties !== undefined);
      const bySchema = Map.groupBy(models, ([, schema]) =>
        JSON.stringify({ ...Object(schema), description: undefined }),
      );
      return [...bySchema.values()].flatMap((those) => {
        const names = those.map(([name]) => name);
        return names.length > 1 && names.some((name) => !/(Request|Response)$/.test(name)) ? [names.join(' and ')] : [];
      });
    },
  },
  {
    name: 'model-name',
    why: 'a name in another form becomes another one in each language',
    breaks: ({ components: { schemas = {} } }) =>
      Object.keys(schemas).filter((name) => !/^([A-Z][a-z0-9]+)+$/.test(name)),
  },
];

/** @returns a line for each construct that breaks a generated client. */
export function generatorProblems(document: OpenApiDocument): string[] {
  const found = schemasIn(document).flatMap(({ schema, ...context }) =>
    rules.filter(({ breaks }) => breaks(schema, context)).map(({ name, why }) => `${name} at ${context.at}: ${why}`),
  );
  const whole = wholeRules.flatMap(({ name, why, breaks }) => breaks(document).map((at) => `${name} at ${at}: ${why}`));
  return [...new Set([...found, ...whole])];
}

type FoundSchema = SchemaContext & { readonly schema: Json };

/** Every schema in a request or an answer. A component is listed once for requests and once for answers. */
function schemasIn({ paths, components }: OpenApiDocument): FoundSchema[] {
  const found: FoundSchema[] = [];
  const seen = new Set<string>();
  const visit = (schema: unknown, context: SchemaContext): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { $ref } = schema as Json;
    if (typeof $ref === 'string') {
      if (seen.has(`${context.way} ${$ref}`)) return;
      seen.add(`${context.way} ${$ref}`);
      visit(resolved($ref, components), { ...context, at: $ref, isComponent: true });
      return;
    }
    found.push({ ...context, schema: schema as Json });
    for (const { name, inner } of partsOf(schema as Json)) {
      visit(inner, { ...context, at: `${context.at}/${name}`, isComponent: false });
    }
  };
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const { parameters = [], requestBody } = operation as { parameters?: Json[]; requestBody?: Json };
      for (const { name, schema } of parameters)
        visit(schema, { at: `${at} ${name}`, way: 'request', isComponent: false });
      visit(contentOf(requestBody), { at: `${at} body`, way: 'request', isComponent: false });
    }
  }
  for (const { at, response } of responsesIn(paths, components)) {
    visit(contentOf(response), { at, way: 'answer', isComponent: false });
    for (const header of Object.values(Object(Object(response).headers))) {
      const { schema } = Object(resolved(Object(header).$ref, components) ?? header);
      visit(schema, { at: `${at} header`, way: 'answer', isComponent: false });
    }
  }
  return found;
}

/** The `null` of a nullable reference is not a model. */
function partsOf({ properties, items, additionalProperties, anyOf, oneOf, allOf }: Json) {
  const alternatives = [anyOf, oneOf, allOf].flatMap((each) => (Array.isArray(each) ? each : []));
  return [
    ...Object.entries(Object(properties)).map(([name, inner]) => ({ name, inner })),
    ...[items, additionalProperties].map((inner) => ({ name: 'items', inner: inner as unknown })),
    ...alternatives
      .filter((each) => alternatives.length === 1 || !isNull(each))
      .map((inner) => ({ name: 'of', inner: inner as unknown })),
  ];
}

function responsesIn(paths: OpenApiDocument['paths'], components: OpenApiDocument['components']) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      Object.entries(Object(operation.responses)).map(([status, response]) => ({
        at: `${method.toUpperCase()} ${path} ${status}`,
        status,
        response: resolved(Object(response).$ref, components) ?? response,
      })),
    ),
  );
}

function contentOf(holder: unknown): unknown {
  return Object(holder).content?.['application/json']?.schema;
}

function resolved(reference: unknown, components: OpenApiDocument['components']): unknown {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String(reference)) ?? [];
  return components[kind]?.[name];
}
