import { type DeclaredError, type DocumentedError, errorBody, errorHeaders } from './errors.ts';
import type { Json } from './schema-forms.ts';

/** The error half of the OpenAPI document: one schema for all errors, a response for each status. */

export const headerComponents = {
  'X-Request-Id': {
    description:
      'Identifies this request in the logs; quote it in a report. Absent if the gateway or the firewall answered.',
    schema: { type: 'string' },
  },
  'Cache-Control': {
    description: '`no-store`, unless the route says otherwise.',
    schema: { type: 'string', examples: ['no-store'] },
  },
  ETag: { description: 'Names this state of the resource.', schema: { type: 'string', examples: ['"3"'] } },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', format: 'int32', minimum: 1 },
  },
};

type HeaderName = keyof typeof headerComponents;

export function headerReferences(names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** One schema for all errors: with one schema for each, code generators make unions that they cannot read back. */
export const errorSchemas = {
  Error: {
    type: 'object',
    description: 'Every error, on every status. Act on `code`.',
    required: ['code', 'message', 'detail'],
    properties: {
      code: {
        type: 'string',
        description: "Stable. An operation's are in its description and in `x-error-codes`; more may come.",
        examples: ['VALIDATION_FAILED'],
      },
      message: { type: 'string', description: 'One sentence for a developer; it may change.' },
      detail: {
        type: ['object', 'null'],
        description: 'Its shape belongs to the code (docs/errors.md); null where the code says everything.',
        additionalProperties: true,
      },
    },
  },
} as const satisfies Record<string, Json>;

export function errorResponses(errors: readonly DocumentedError[]): Record<string, Json> {
  return Object.fromEntries(errors.map((each) => [componentName(each.error), response([each])]));
}

/** The response of a status: the shared one if the status has one error, else one that lists all codes. */
export function errorResponse(errors: readonly DocumentedError[]): Json {
  const [first, ...others] = errors;
  if (first === undefined) throw new Error('a status without an error');
  return others.length === 0 ? { $ref: `#/components/responses/${componentName(first.error)}` } : response(errors);
}

function response(errors: readonly DocumentedError[]): Json {
  const waits = errors.some(({ error }) => 'Retry-After' in errorHeaders(error));
  return {
    description: errors.map(({ error, guide }) => `\`${error.code}\`: ${guide.when}`).join('\n\n'),
    headers: headerReferences(['X-Request-Id', ...(waits ? (['Retry-After'] as const) : [])]),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(errors.map((each) => [each.error.code, { value: exampleOf(each) }])),
      },
    },
  };
}

function exampleOf({ error, guide }: DocumentedError): Json {
  return { ...errorBody(error), detail: guide.example ?? null };
}

/** By status: `{ "404": ["AGREEMENT_NOT_FOUND"] }`. */
export function codesByStatus(errors: readonly DocumentedError[]): Record<string, string[]> {
  const byStatus = Map.groupBy(errors, ({ error }) => error.status);
  return Object.fromEntries([...byStatus].map(([status, those]) => [status, those.map(({ error }) => error.code)]));
}

/** `AGREEMENT_REQUIRED` → `AgreementRequiredError`. */
function componentName({ code }: DeclaredError): string {
  const words = code.toLowerCase().split('_');
  return `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}Error`;
}
