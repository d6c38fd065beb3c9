import { properties, type Template } from './stage.ts';

/** The definition of an application's API, with the intrinsic functions as the text that they come to. */

export type ApiOperation = {
  readonly operationId?: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly responses: Record<string, { readonly headers?: Record<string, unknown> }>;
  readonly security?: readonly Record<string, readonly []>[];
  readonly 'x-amazon-apigateway-integration': {
    readonly type: string;
    readonly uri?: string;
    readonly timeoutInMillis?: number;
    readonly responses?: { readonly default: { readonly responseParameters: Record<string, string> } };
  };
};

type GatewayResponse = {
  readonly statusCode?: string;
  readonly responseParameters: Record<string, string>;
  readonly responseTemplates: Record<string, string>;
};

export type ApiBody = {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, ApiOperation>>;
  readonly components: { readonly securitySchemes: Record<string, Record<string, unknown>> };
  readonly 'x-amazon-apigateway-gateway-responses': Record<string, GatewayResponse>;
};

export const anyMethod = 'x-amazon-apigateway-any-method';

export function apiBody(template: Template | undefined): ApiBody {
  return properties(template, 'Api').Body as ApiBody;
}

/** An operation of a route. @throws an Error where there is none */
export function apiOperation(template: Template | undefined, method: string, path: string): ApiOperation {
  const found = apiBody(template).paths[path]?.[method.toLowerCase()];
  if (!found) throw new Error(`no ${method} ${path}`);
  return found;
}

/** Those that a route declares, without the preflight and the 404 that stand on each path. */
export function routed(template: Template | undefined): { path: string; method: string; operation: ApiOperation }[] {
  return Object.entries(apiBody(template).paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => method !== 'options' && method !== anyMethod)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
}
