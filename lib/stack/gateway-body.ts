import { isMetered, type Method, type Route } from '../contract/route.ts';
import { tokens } from '../contract/tokens.ts';
import { allPaths } from './api-paths.ts';
import { constants, preflightHeaders } from './cors.ts';
import { gatewayResponses } from './gateway-responses.ts';
import { type Called, invocationUri } from './invocation.ts';
import { integrationTimeoutMs } from './settings.ts';

/**
 * An application's API as API Gateway imports it: OpenAPI 3.0.1 with Amazon's extensions. It is one CloudFormation
 * resource, however many routes there are. It has no schemas, since the functions validate. Callers of the API get another
 * document (lib/contract/openapi.ts).
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions.html
 */

export type GatewayRoute = {
  readonly id: string;
  readonly route: Route;
  /** With the application's prefix: `/v1/users/me`. */
  readonly path: string;
  readonly called: Called;
};

export type Gateway = {
  readonly name: string;
  readonly authorizer: Called;
  /** Answers every path and method that no route declares. */
  readonly notFound: Called;
  readonly routes: readonly GatewayRoute[];
};

/**
 * TLS 1.2 with forward secrecy, or 1.3; by default an API accepts 1.0. STRICT: the name in the handshake must be the
 * requested name. It is set in the body and beside it, so that no import removes it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies.html
 */
export const transport = {
  securityPolicy: 'SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09',
  endpointAccessMode: 'STRICT',
} as const;

export function gatewayBody({ name, authorizer, notFound, routes }: Gateway) {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const any = proxy(notFound);
  return {
    openapi: '3.0.1',
    info: { title: name, version: '1' },
    'x-amazon-apigateway-api-key-source': 'AUTHORIZER',
    'x-amazon-apigateway-security-policy': transport.securityPolicy,
    'x-amazon-apigateway-endpoint-access-mode': transport.endpointAccessMode,
    'x-amazon-apigateway-gateway-responses': gatewayResponses(),
    paths: Object.fromEntries(
      allPaths([...byPath.keys()]).map((path) => [
        path,
        {
          ...Object.fromEntries((byPath.get(path) ?? []).map((routed) => [methodOf(routed), operation(routed)])),
          options: { ...parameters(path), ...preflight },
          // Without it AWS would answer a bearer token on an unknown method with its own 403 about a missing equal-sign.
          'x-amazon-apigateway-any-method': { ...parameters(path), ...answering(404), [integration]: any },
        },
      ]),
    ),
    components: { securitySchemes: securitySchemes(authorizer) },
  };
}

const integration = 'x-amazon-apigateway-integration';

function methodOf({ route }: GatewayRoute): Lowercase<Method> {
  return route.method.toLowerCase() as Lowercase<Method>;
}

function operation({ id, route, path, called }: GatewayRoute) {
  return {
    operationId: id,
    ...parameters(path),
    ...answering(route.status ?? 200),
    ...(route.auth !== 'public' && {
      // API Gateway requires all entries of the list, although OpenAPI calls them alternatives. AWS SAM writes it in this
      // form.
      security: [{ [bearerToken]: [] }, ...(isMetered(route) ? [{ [apiKey]: [] }] : [])],
    }),
    [integration]: { ...proxy(called), timeoutInMillis: integrationTimeoutMs },
  };
}

/** OpenAPI requires a response; a proxy's answer is passed on unchanged. */
function answering(status: number) {
  return { responses: { [status]: { description: `${status} response` } } };
}

function proxy(called: Called) {
  return { type: 'aws_proxy', httpMethod: 'POST', uri: invocationUri(called) };
}

/** OpenAPI requires the parameters of the path. All other parameters are only for the functions. */
function parameters(path: string) {
  const names = [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name]) => name);
  if (names.length === 0) return {};
  return { parameters: names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })) };
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/enable-cors-for-resource-using-swagger-importer-tool.html */
const preflight = {
  responses: {
    '204': {
      description: '204 response',
      // API Gateway refuses a mapped header that the response does not declare.
      headers: Object.fromEntries(Object.keys(preflightHeaders).map((name) => [name, { schema: { type: 'string' } }])),
    },
  },
  [integration]: {
    type: 'mock',
    requestTemplates: { 'application/json': '{"statusCode":204}' },
    responses: {
      default: { statusCode: '204', responseParameters: constants('method.response.header', preflightHeaders) },
    },
  },
};

const bearerToken = 'bearer-token';
const apiKey = 'api_key';

function securitySchemes(authorizer: Called) {
  return {
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-authorizer.html
    [bearerToken]: {
      type: 'apiKey',
      name: 'Authorization',
      in: 'header',
      'x-amazon-apigateway-authtype': 'custom',
      'x-amazon-apigateway-authorizer': {
        type: 'token',
        authorizerUri: invocationUri(authorizer),
        authorizerResultTtlInSeconds: tokens.authorizerCacheSeconds,
      },
    },
    // This form makes API Gateway require a key for the method, wherever the key comes from:
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-key-usage-plan-oas.html
    [apiKey]: { type: 'apiKey', name: 'x-api-key', in: 'header' },
  };
}
