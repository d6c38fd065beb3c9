import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { errors } from '../../../functions/domains.ts';
import type { Application } from '../../../lib/contract/register.ts';

/**
 * docs/openapi.json as the fuzzer reads it: what may be sent, and what may come back. Stricter than for an app: an answer's
 * known values are all that there are, and an error is one of its operation's, with the detail of its code.
 */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
};

export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
};

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly applications: readonly Application[];
  readonly permission: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  /** By status: what makes the schema of the body, null where there is none. */
  readonly answers: ReadonlyMap<number, () => z.core.$ZodType | null>;
};

type Response = { $ref?: string; content?: Record<string, { schema: Schema }> };
type Described = {
  operationId: string;
  'x-applications': Application[];
  'x-environments': string[];
  'x-permission': string;
  'x-error-codes': Record<string, string[]>;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
};

// zod reads only references to `$defs`.
const text = readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/'), (_name, value) => closed(value)) as {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};
const { schemas } = document.components;

/** Those that the development environment has, which is the one that the fuzzer runs. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, described]) => described['x-environments'].includes('dev'))
    .map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      applications: described['x-applications'],
      permission: described['x-permission'],
      parameters: described.parameters ?? [],
      body: described.requestBody?.content['application/json']?.schema ?? null,
      answers: new Map(
        Object.entries(described.responses).map(([status, response]) => [
          Number(status),
          lazily(() => {
            const codes = described['x-error-codes'][status];
            return codes ? oneOf(codes) : validatorOf(response);
          }),
        ]),
      ),
    })),
);

/** Path segments that are no parameters: as a parameter's value they would make another route of it. */
export const literals: ReadonlySet<string> = new Set(
  operations.flatMap(({ path }) => path.split('/').filter((segment) => !segment.startsWith('{'))),
);

export function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  if (name === undefined) return schema;
  const found = schemas[name];
  if (!found) throw new Error(`the document has no schema ${name}`);
  return resolved(found);
}

function validatorOf(response: Response): z.core.$ZodType | null {
  const name = response.$ref?.split('/').at(-1);
  const { content } = name === undefined ? response : (document.components.responses[name] ?? {});
  const schema = content?.['application/json']?.schema;
  return schema ? z.fromJSONSchema({ ...schema, $defs: schemas } as z.core.JSONSchema.JSONSchema) : null;
}

function closed(schema: unknown): unknown {
  const { 'x-known-values': known, type } = Object(schema);
  return known ? { ...Object(schema), enum: [...known, ...(Array.isArray(type) ? [null] : [])] } : schema;
}

/** The errors of these codes, each with its own detail. */
function oneOf(codes: readonly string[]): z.core.$ZodType {
  const declared = errors.flatMap(({ error }) => (codes.includes(error.code) ? [error] : []));
  return z.union(
    declared.map(({ code, detail }) =>
      z.object({ code: z.literal(code), message: z.string(), detail: detail ? z.nullable(detail()) : z.null() }),
    ),
  );
}

function lazily<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
