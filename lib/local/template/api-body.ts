import * as z from 'zod/mini';
import { TemplateError } from './intrinsics.ts';
import { Numeric } from './resources.ts';

/**
 * The definition of an API, OpenAPI 3.0 with Amazon's extensions, as far as it runs on this machine. Unknown words are
 * refused, so a word that API Gateway does not know is found before a deployment.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */

const Lambda = z.strictObject({
  type: z.literal('aws_proxy'),
  // Lambda is invoked by POST for every method.
  httpMethod: z.literal('POST'),
  uri: z.string(),
  // API Gateway's default and, without a quota raise, its maximum.
  timeoutInMillis: z._default(Numeric.check(z.gte(50), z.lte(29_000)), 29_000),
});

const Mock = z.strictObject({
  type: z.literal('mock'),
  requestTemplates: z.strictObject({ 'application/json': z.string() }),
  responses: z.strictObject({
    default: z.strictObject({
      statusCode: z.coerce.string(),
      responseParameters: z._default(z.record(z.string(), z.string()), {}),
      responseTemplates: z._default(z.strictObject({ 'application/json': z.optional(z.string()) }), {}),
    }),
  }),
});

const Operation = z.strictObject({
  operationId: z.optional(z.string()),
  parameters: z._default(
    z.array(
      z.strictObject({
        name: z.string(),
        in: z.literal('path'),
        required: z.literal(true),
        schema: z.strictObject({ type: z.literal('string') }),
      }),
    ),
    [],
  ),
  responses: z.record(
    z.string().check(z.regex(/^[1-5]\d\d$/)),
    z.strictObject({
      description: z.string(),
      headers: z._default(z.record(z.string(), z.strictObject({ schema: z.object({ type: z.string() }) })), {}),
    }),
  ),
  security: z._default(z.array(z.record(z.string(), z.tuple([]))), []),
  'x-amazon-apigateway-integration': z.discriminatedUnion('type', [Lambda, Mock]),
});

const PathItem = z.strictObject({
  get: z.optional(Operation),
  post: z.optional(Operation),
  put: z.optional(Operation),
  patch: z.optional(Operation),
  delete: z.optional(Operation),
  head: z.optional(Operation),
  options: z.optional(Operation),
  'x-amazon-apigateway-any-method': z.optional(Operation),
});

const ofHeader = { type: z.literal('apiKey'), name: z.string(), in: z.literal('header') };

const SecurityScheme = z.union([
  z.strictObject({
    ...ofHeader,
    'x-amazon-apigateway-authtype': z.literal('custom'),
    'x-amazon-apigateway-authorizer': z.strictObject({
      type: z.literal('token'),
      authorizerUri: z.string(),
      authorizerResultTtlInSeconds: z._default(Numeric, 300),
    }),
  }),
  z.strictObject({ ...ofHeader, name: z.literal('x-api-key') }),
]);

const ApiBody = z.strictObject({
  openapi: z.string().check(z.regex(/^3\.0\.\d$/)),
  info: z.strictObject({ title: z.string(), version: z.string() }),
  'x-amazon-apigateway-api-key-source': z._default(z.enum(['HEADER', 'AUTHORIZER']), 'HEADER'),
  // Nothing here speaks TLS.
  'x-amazon-apigateway-security-policy': z.optional(z.string().check(z.regex(/^(TLS|SecurityPolicy)_\w+$/))),
  'x-amazon-apigateway-endpoint-access-mode': z.optional(z.enum(['BASIC', 'STRICT'])),
  'x-amazon-apigateway-gateway-responses': z._default(
    z.record(
      z.string(),
      z.strictObject({
        statusCode: z.optional(Numeric),
        responseParameters: z._default(z.record(z.string(), z.string()), {}),
        responseTemplates: z._default(z.strictObject({ 'application/json': z.optional(z.string()) }), {}),
      }),
    ),
    {},
  ),
  paths: z.record(z.string(), PathItem),
  components: z._default(z.strictObject({ securitySchemes: z._default(z.record(z.string(), SecurityScheme), {}) }), {
    securitySchemes: {},
  }),
});

export type ApiBody = z.infer<typeof ApiBody>;
export type Operation = z.infer<typeof Operation>;

/**
 * @param path names the body in errors
 * @throws a TemplateError if API Gateway would refuse it, or if this machine cannot run it
 */
export function parseApiBody(body: unknown, path: string): ApiBody {
  const { data, error } = ApiBody.safeParse(body);
  if (!data) {
    const [issue] = error?.issues ?? [];
    throw new TemplateError(`${[path, ...(issue?.path ?? [])].join('.')}: ${problemOf(issue)}`);
  }
  const policy = data['x-amazon-apigateway-security-policy'] ?? '';
  if (policy.startsWith('SecurityPolicy_') && !data['x-amazon-apigateway-endpoint-access-mode'])
    throw new TemplateError(`${path}: ${policy} demands an endpoint access mode`);
  const variables = new Map<string, string>();
  for (const [each, operations] of Object.entries(data.paths)) {
    const at = `${path}.paths.${each}`;
    checkPath(each, at, variables);
    const inPath = namesIn(each).sort().join();
    for (const [method, operation] of Object.entries(operations)) {
      const declared = operation.parameters.map(({ name }) => name);
      if (declared.sort().join() !== inPath)
        throw new TemplateError(`${at}.${method}: its parameters are not those of the path`);
      if (Object.keys(operation.responses).length === 0)
        throw new TemplateError(`${at}.${method}: OpenAPI demands a response`);
    }
  }
  return data;
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'unrecognized_keys') return `${issue.keys.join(', ')} is not known on this machine`;
  return issue?.code === 'invalid_type' ? `a value of type ${issue.expected} is needed` : String(issue?.message);
}

/**
 * "/{proxy+}" is greedy and must be the last segment.
 *
 * @param variables by parent: API Gateway allows one name below each
 */
function checkPath(path: string, at: string, variables: Map<string, string>): void {
  if (path !== '/' && !/^(\/([\w.~:$+-]+|\{\w+\}))*(\/[\w.~:$+-]+|\/\{\w+\+?\})$/.test(path))
    throw new TemplateError(`${at}: a segment is a word or a whole {parameter}`);
  const segments = path.split('/');
  for (const [index, segment] of segments.entries()) {
    if (!/^\{\w+\}$/.test(segment)) continue;
    const parent = segments.slice(0, index).join('/');
    const known = variables.get(parent) ?? segment;
    variables.set(parent, known);
    if (known !== segment) throw new TemplateError(`${at}: below ${parent} there is ${known} already`);
  }
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name as string);
}
