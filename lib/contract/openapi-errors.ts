import * as z from 'zod/mini';
import { type DeclaredError, type DocumentedError, errorHeaders } from './errors.ts';
import { componentPath, type Json } from './schemas.ts';

/** The error half of the OpenAPI document: a schema and a response for each error. */

export const headerComponents = {
  'X-Request-Id': {
    description:
      'Names this request in the logs; quote it in a report. Absent where the gateway or the firewall answered by itself.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: '`no-store`, unless the route says otherwise.',
    schema: { type: 'string', examples: ['no-store'] },
  },
  ETag: { description: 'Names this state of the resource.', schema: { type: 'string', examples: ['"3"'] } },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer', minimum: 1 } },
};

type HeaderName = keyof typeof headerComponents;

export function headerReferences(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One component for each code, so that each code has the `detail` of its own. */
export function errorSchemas(errors: readonly DocumentedError[]): Record<string, Json> {
  return Object.fromEntries(errors.map(({ error }) => [componentName(error), schemaOf(error)]));
}

function schemaOf(error: DeclaredError): Json {
  return {
    type: 'object',
    required: ['code', 'message', 'detail'],
    properties: {
      code: { type: 'string', enum: [error.code] },
      message: { type: 'string', description: 'One sentence for a developer.', examples: [error.message] },
      detail: detailOf(error),
    },
  };
}

function detailOf({ detail }: DeclaredError): Json {
  if (!detail) return { type: 'null' };
  const { $schema, ...json }: Json = z.toJSONSchema(detail(), { io: 'input' });
  return { anyOf: [json, { type: 'null' }] };
}

export function errorResponses(errors: readonly DocumentedError[]): Record<string, Json> {
  return Object.fromEntries(errors.map((each) => [componentName(each.error), response([each])]));
}

/** The response of a status: the shared one where it means one error, else a union that `code` tells apart. */
export function errorResponse(errors: readonly DocumentedError[]): Json {
  const [first, ...others] = errors;
  if (first === undefined) throw new Error('a status without an error');
  return others.length === 0 ? { $ref: `#/components/responses/${componentName(first.error)}` } : response(errors);
}

function response(errors: readonly DocumentedError[]): Json {
  const mapping = Object.fromEntries(
    errors.map(({ error }) => [error.code, `${componentPath}${componentName(error)}`]),
  );
  const alternatives = Object.values(mapping).map(($ref) => ({ $ref }));
  const waits = errors.some(({ error }) => 'Retry-After' in errorHeaders(error));
  return {
    description: errors.map(({ error, guide }) => `\`${error.code}\`: ${guide.when}`).join('\n\n'),
    headers: headerReferences(['X-Request-Id', ...(waits ? (['Retry-After'] as const) : [])]),
    content: {
      'application/json': {
        schema:
          alternatives.length === 1
            ? alternatives[0]
            : {
                oneOf: alternatives,
                discriminator: { propertyName: 'code', mapping },
              },
      },
    },
  };
}

/** `AGREEMENT_REQUIRED` → `AgreementRequiredError`. */
function componentName({ code }: DeclaredError): string {
  const words = code.toLowerCase().split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
}
