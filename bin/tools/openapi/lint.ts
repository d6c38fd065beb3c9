import {
  bundleFromString,
  createConfig,
  lintFromString,
  type Oas3Rule,
  type RawUniversalConfig,
  type UserContext,
} from '@redocly/openapi-core';
import type { Linter } from '../../linter.ts';

/**
 * Redocly's linter, with rules of ours. Those find what breaks generated clients although the OpenAPI document is valid. Each comes
 * from a failure of openapi-generator 7.25 (Kotlin, Java, TypeScript, Swift). docs/clients.md says how clients are made.
 */

type Document = Parameters<Linter['lint']>[0];

type Json = Readonly<Record<string, unknown>>;

const isNull = (schema: unknown) => Object(schema).type === 'null';
const widest = Number.MAX_SAFE_INTEGER;

/** A rule for each schema, in any place. */
function forSchemas(why: string, breaks: (schema: Json, context: UserContext) => boolean): Oas3Rule {
  return () => ({
    Schema(schema, context) {
      if (breaks(schema as Json, context)) context.report({ message: why });
    },
  });
}

/** A rule for the named schemas together. @param breaks says which */
function forModels(why: string, breaks: (schemas: Json) => string[]): Oas3Rule {
  return () => ({
    NamedSchemas(schemas, { report, location }) {
      for (const name of breaks(schemas as Json)) report({ message: why, location: location.child(name) });
    },
  });
}

const rules = {
  'null-alone': forSchemas(
    'generators refer to a model that they never write',
    // The `null` of a nullable reference is not a model.
    (schema, { parent }) => isNull(schema) && !(Array.isArray(parent) && parent.length > 1),
  ),
  'boolean-constant': forSchemas(
    'Kotlin makes an enumeration of texts from it: the call succeeds, and reading its answer throws',
    ({ type, const: only, enum: values }) =>
      typeof only === 'boolean' || ([type].flat().includes('boolean') && values !== undefined),
  ),
  union: forSchemas(
    'Kotlin and Swift make an empty class, or guess; they understand only a nullable reference',
    ({ oneOf, anyOf }) => {
      if (oneOf !== undefined) return true;
      return (
        Array.isArray(anyOf) && !(anyOf.length === 2 && anyOf.some(isNull) && anyOf.some((each) => '$ref' in each))
      );
    },
  ),
  'unnamed-object': forSchemas(
    'its class is named after its place and changes with it: export the schema under a name',
    ({ properties }, { location }) =>
      properties !== undefined && !/^#\/components\/schemas\/[^/]+$/.test(location.pointer),
  ),
  'widest-integer': forSchemas(
    '2^53 is a limit of JavaScript, not of the value; strict generators refuse it for 32 bits',
    ({ minimum, maximum }) => Number(minimum) <= -widest || Number(maximum) >= widest,
  ),
  'integer-of-no-size': forSchemas(
    'without a format it is 32 bits in Kotlin, Java and Swift',
    ({ type, format }) => [type].flat().includes('integer') && format !== 'int32' && format !== 'int64',
  ),
  'model-twice': forModels('an app cannot pass one where the other is expected', (schemas) => {
    const models = Object.entries(schemas).filter(([, schema]) => Object(schema).properties !== undefined);
    const bySchema = Map.groupBy(models, ([, schema]) => JSON.stringify({ ...Object(schema), description: undefined }));
    return [...bySchema.values()].flatMap((those) => {
      const names = those.map(([name]) => name);
      return names.length > 1 && names.some((name) => !/(Request|Response)$/.test(name)) ? [names.join(' and ')] : [];
    });
  }),
  'model-name': forModels('a name in another form becomes another one in each language', (schemas) =>
    Object.keys(schemas).filter((name) => !/^([A-Z][a-z0-9]+)+$/.test(name)),
  ),
  'one-error': () => ({
    Responses(responses, { report, resolve, location }) {
      for (const [status, response] of Object.entries(responses)) {
        const schema = Object(resolve(response).node).content?.['application/json']?.schema?.$ref;
        if (Number(status) < 400 || schema === '#/components/schemas/Error') continue;
        report({
          message: 'a schema for each code becomes a union that no client can read',
          location: location.child(status),
        });
      }
    },
  }),
} as const satisfies Record<string, Oas3Rule>;

/** Rules for what a client reads; a request may have what they refuse. */
const answerRules = {
  'closed-answer': forSchemas(
    'a value that is added later makes an installed app throw; list the present values in `x-known-values`',
    ({ enum: values, const: only }) => values !== undefined || only !== undefined,
  ),
} as const satisfies Record<string, Oas3Rule>;

const plugins = [{ id: 'generators', rules: { oas3: { ...rules, ...answerRules } } }];
const errors = (those: object) =>
  Object.fromEntries(Object.keys(those).map((name) => [`generators/${name}`, 'error' as const]));

export const generatorRules = Object.keys({ ...rules, ...answerRules });

export const lint: Linter['lint'] = async (document) => {
  const ofAll = await findings(document, {
    extends: ['recommended'],
    rules: {
      // The document names the local stage on purpose: every developer has this server.
      'no-server-example.com': 'off',
      ...errors(rules),
    },
  });
  return [...ofAll, ...(await findings(await answersOf(document), { rules: errors(answerRules) }))];
};

async function findings(document: Document, options: RawUniversalConfig): Promise<string[]> {
  const config = await createConfig({ plugins, ...options });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'docs/openapi.json', config });
  const standing = problems.filter(({ ruleId, message }) => !(ruleId === 'no-ambiguous-paths' && apart.test(message)));
  return standing.map(({ ruleId, message, location }) => {
    const at = location.map((place) => place.pointer).join();
    return `${ruleId} at ${at}: ${message}`;
  });
}

/** The document without its requests, and without the components that only they name. */
async function answersOf(document: Document): Promise<Document> {
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const answering = Object.entries(methods).map(([method, { responses }]) => [method, { responses }]);
    return [path, Object.fromEntries(answering)];
  });
  const { bundle } = await bundleFromString({
    source: JSON.stringify({ ...document, paths: Object.fromEntries(paths) }),
    config: await createConfig({}),
    removeUnusedComponents: true,
  });
  return bundle.parsed as Document;
}

/**
 * The method and the ids distinguish the two paths: a code's id is a hash, and no batch has the id `revoke`. The paths are public,
 * so they cannot change.
 */
const apart = /`\/access-codes\/batches\/\{batchId\}` and `\/access-codes\/\{accessCodeId\}\/revoke`/;
