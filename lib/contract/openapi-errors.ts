import * as z from 'zod/mini';
import { detailSchemas, errorGuide } from './error-guide.ts';
import { type ErrorCode, errorCodes, errorHeaders, errors } from './errors.ts';
import { componentPath, type Json } from './schemas.ts';

/** The error half of the OpenAPI document: a schema and a response for each code of the catalogue. */

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
export const errorSchemas: Record<string, Json> = Object.fromEntries(
  errorCodes.map((code) => [
    componentName(code),
    {
      type: 'object',
      required: ['code', 'message', 'detail'],
      properties: {
        code: { type: 'string', enum: [code] },
        message: { type: 'string', description: 'One sentence for a developer.', examples: [errors[code].message] },
        detail: detailOf(code),
      },
    },
  ]),
);

function detailOf(code: ErrorCode): Json {
  const schema = Object.entries(detailSchemas).find(([name]) => name === code)?.[1];
  if (!schema) return { type: 'null' };
  const { $schema, ...json }: Json = z.toJSONSchema(schema, { io: 'input' });
  return { anyOf: [json, { type: 'null' }] };
}

export const errorResponses: Record<string, Json> = Object.fromEntries(
  errorCodes.map((code) => [componentName(code), response([code])]),
);

/** The response of a status: the shared one where it means one code, else a union that `code` tells apart. */
export function errorResponse(codes: readonly ErrorCode[]): Json {
  const [first, ...others] = codes;
  if (first === undefined) throw new Error('a status without a code');
  return others.length === 0 ? { $ref: `#/components/responses/${componentName(first)}` } : response(codes);
}

function response(codes: readonly ErrorCode[]): Json {
  const mapping = Object.fromEntries(codes.map((code) => [code, `${componentPath}${componentName(code)}`]));
  const alternatives = Object.values(mapping).map(($ref) => ({ $ref }));
  const waits = codes.some((code) => 'Retry-After' in errorHeaders(code));
  return {
    description: codes.map((code) => `\`${code}\`: ${errorGuide[code].when}`).join('\n\n'),
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
function componentName(code: ErrorCode): string {
  const words = code.toLowerCase().split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
}
