import * as z from 'zod/mini';
import type { IntegrationModel, MethodModel } from '../model.ts';
import { aliasTargets } from './aliases.ts';
import { TemplateError } from './intrinsics.ts';
import { attributeOf, reference } from './physical.ts';
import { Numeric, ofType, read, unquoted } from './resources.ts';
import type { Deployment, Resource } from './stacks.ts';

const GatewayResource = z.object({ ParentId: z.string(), PathPart: z.string() });

const Response = z.object({
  StatusCode: z.coerce.string(),
  SelectionPattern: z.optional(z.string()),
  ResponseParameters: z._default(z.record(z.string(), z.string()), {}),
  ResponseTemplates: z._default(z.record(z.string(), z.string()), {}),
});

const Method = z.object({
  HttpMethod: z.string(),
  ResourceId: z.string(),
  AuthorizationType: z._default(z.string(), 'NONE'),
  AuthorizerId: z.optional(z.string()),
  ApiKeyRequired: z._default(z.boolean(), false),
  Integration: z.object({
    Type: z.string(),
    Uri: z.optional(z.string()),
    Credentials: z.optional(z.string()),
    // API Gateway's default and, without a quota raise, its maximum.
    TimeoutInMillis: z._default(Numeric, 29_000),
    RequestTemplates: z._default(z.record(z.string(), z.string()), {}),
    IntegrationResponses: z._default(z.array(Response), []),
  }),
  MethodResponses: z._default(
    z.array(
      z.object({
        StatusCode: z.coerce.string(),
        ResponseParameters: z._default(z.record(z.string(), z.boolean()), {}),
      }),
    ),
    [],
  ),
});
type Method = z.infer<typeof Method>;

export type MayInvoke = (functionArn: string, sourceArn: string) => boolean;

/** @param stageArn `arn:aws:execute-api:<region>:<account>:<api>/<stage>`, what invocations name as their source. */
export function methodsOf(
  deployment: Deployment,
  api: Resource,
  stageArn: string,
  mayInvoke: MayInvoke,
): MethodModel[] {
  const paths = pathsOf(deployment, api);
  const functionOf = aliasTargets(deployment);
  return belongingTo(deployment, api, 'AWS::ApiGateway::Method').map((resource) => {
    const method = read(resource, Method);
    const path = paths(method.ResourceId, resource.path);
    if (!['NONE', 'CUSTOM'].includes(method.AuthorizationType)) {
      throw new TemplateError(`${resource.path}: the authorization ${method.AuthorizationType} does not run here`);
    }
    if (method.AuthorizationType === 'CUSTOM' && !method.AuthorizerId) {
      throw new TemplateError(`${resource.path}: AuthorizationType is CUSTOM without an AuthorizerId`);
    }
    const invocation = `${stageArn}/${method.HttpMethod.replace('ANY', '*')}${path.replace(/\{[^}]+\}/g, '*')}`;
    return {
      httpMethod: method.HttpMethod,
      path,
      authorizerId: method.AuthorizationType === 'CUSTOM' ? (method.AuthorizerId ?? null) : null,
      apiKeyRequired: method.ApiKeyRequired,
      integration: integrationOf(method, resource.path, functionOf, (called) => mayInvoke(called, invocation)),
    };
  });
}

export function belongingTo(deployment: Deployment, api: Resource, type: string): Resource[] {
  const id = reference(api);
  return ofType(deployment, type).filter(
    (resource) => read(resource, z.object({ RestApiId: z.string() })).RestApiId === id,
  );
}

/** `arn:aws:apigateway:<region>:lambda:path/2015-03-31/functions/<function ARN>/invocations` → the function's ARN. */
export function invokedFunction(uri: string | undefined, path: string): string {
  const [, functionArn] = /:lambda:path\/2015-03-31\/functions\/(arn:[^/]+)\/invocations$/.exec(uri ?? '') ?? [];
  if (!functionArn) throw new TemplateError(`${path}: ${JSON.stringify(uri)} does not invoke a Lambda function`);
  return functionArn;
}

function pathsOf(deployment: Deployment, api: Resource): (resourceId: string, from: string) => string {
  const rootId = String(attributeOf(api, 'RootResourceId'));
  const parts = new Map(
    belongingTo(deployment, api, 'AWS::ApiGateway::Resource').map((resource) => [
      reference(resource),
      read(resource, GatewayResource),
    ]),
  );
  const below = (id: string, from: string): string => {
    if (id === rootId) return '';
    const part = parts.get(id);
    if (!part) throw new TemplateError(`${from}: its API has no resource ${id}`);
    return `${below(part.ParentId, from)}/${part.PathPart}`;
  };
  return (id, from) => below(id, from) || '/';
}

function integrationOf(
  { Integration, MethodResponses }: Method,
  path: string,
  functionOf: (calledArn: string) => string,
  mayInvoke: (calledArn: string) => boolean,
): IntegrationModel {
  if (Integration.Type === 'AWS_PROXY') {
    const called = invokedFunction(Integration.Uri, `${path}.Integration.Uri`);
    if (!Integration.Credentials && !mayInvoke(called)) {
      throw new TemplateError(`${path}: no AWS::Lambda::Permission lets API Gateway invoke ${called} for it`);
    }
    return { type: 'lambda', functionArn: functionOf(called), timeoutMs: Integration.TimeoutInMillis };
  }
  if (Integration.Type !== 'MOCK') {
    throw new TemplateError(`${path}: an integration of type ${Integration.Type} does not run on this machine`);
  }
  const [, chosen = ''] = /statusCode"?\s*:\s*(\d+)/.exec(Integration.RequestTemplates['application/json'] ?? '') ?? [];
  const responses = Integration.IntegrationResponses;
  const response =
    responses.find(({ SelectionPattern }) => SelectionPattern && new RegExp(`^(${SelectionPattern})$`).test(chosen)) ??
    responses.find(({ SelectionPattern }) => !SelectionPattern);
  const body = response?.ResponseTemplates['application/json'] ?? '';
  const declared = MethodResponses.find(({ StatusCode }) => StatusCode === response?.StatusCode);
  if (!chosen || !response || !declared) {
    throw new TemplateError(
      `${path}: a mock needs a status code in its request template, an integration response ` +
        'that it selects and a method response of the same status',
    );
  }
  for (const name of Object.keys(response.ResponseParameters)) {
    if (!(name in declared.ResponseParameters)) throw new TemplateError(`${path}: no method response declares ${name}`);
  }
  if (/[$#]/.test(body)) throw new TemplateError(`${path}: only a static mock body runs on this machine`);
  const headers = unquoted(response.ResponseParameters, 'method.response.header.', `${path}.ResponseParameters`);
  return { type: 'mock', status: Number(response.StatusCode), headers, body };
}
