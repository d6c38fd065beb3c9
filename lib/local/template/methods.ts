import type { AuthorizerModel, IntegrationModel, MethodModel } from '../model.ts';
import type { ApiBody, Operation } from './api-body.ts';
import { TemplateError } from './intrinsics.ts';
import { unquoted } from './resources.ts';

/** Whether API Gateway may invoke the function or the alias with this ARN for this source. */
type MayInvoke = (calledArn: string, sourceArn: string) => boolean;

export type Calls = {
  /** `arn:aws:execute-api:<region>:<account>:<api>`: the start of an invocation's source ARN. */
  readonly apiArn: string;
  readonly stageName: string;
  readonly mayInvoke: MayInvoke;
  /** The function's ARN, also for an alias. */
  readonly functionOf: (calledArn: string) => string;
};

/** @param at names the body in errors */
export function authorizersOf({ components }: ApiBody, { apiArn, mayInvoke, functionOf }: Calls, at: string) {
  return Object.entries(components.securitySchemes).flatMap(([id, scheme]): AuthorizerModel[] => {
    if (!('x-amazon-apigateway-authorizer' in scheme)) return [];
    const path = `${at}.components.securitySchemes.${id}`;
    const { authorizerUri, authorizerResultTtlInSeconds } = scheme['x-amazon-apigateway-authorizer'];
    const called = invokedFunction(authorizerUri, path);
    // The authorizer's id is unknown before API Gateway creates it.
    if (!mayInvoke(called, `${apiArn}/authorizers/a1b2c3`)) {
      throw new TemplateError(`${path}: no AWS::Lambda::Permission lets API Gateway invoke ${called}`);
    }
    return [
      {
        id,
        type: 'TOKEN',
        functionArn: functionOf(called),
        identitySource: `method.request.header.${scheme.name}`,
        cacheSeconds: authorizerResultTtlInSeconds,
        // As long as the longest integration: "50 milliseconds – 29 seconds for all integration types".
        timeoutMs: 29_000,
      },
    ];
  });
}

/** @param at names the body in errors */
export function methodsOf(body: ApiBody, calls: Calls, at: string): MethodModel[] {
  return Object.entries(body.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const where = `${at}.paths.${path}.${name}`;
      const httpMethod = name === 'x-amazon-apigateway-any-method' ? 'ANY' : name.toUpperCase();
      const source = `${calls.stageName}/${httpMethod.replace('ANY', '*')}${path.replace(/\{[^}]+\}/g, '*')}`;
      return {
        httpMethod,
        path,
        ...securityOf(body, operation, where),
        integration: integrationOf(operation, calls, `${calls.apiArn}/${source}`, where),
      };
    }),
  );
}

/** API Gateway requires everything that is listed: an authorizer and a key. */
function securityOf(body: ApiBody, { security }: Operation, where: string) {
  const named = security.flatMap((requirement) => Object.keys(requirement));
  const unknown = named.find((name) => !body.components.securitySchemes[name]);
  if (unknown !== undefined) throw new TemplateError(`${where}: there is no security scheme ${unknown}`);
  const isAuthorizer = (name: string) =>
    'x-amazon-apigateway-authorizer' in (body.components.securitySchemes[name] ?? {});
  const [authorizerId = null, another] = named.filter(isAuthorizer);
  if (another !== undefined) throw new TemplateError(`${where}: a method has one authorizer`);
  const apiKeyRequired = named.some((name) => !isAuthorizer(name));
  if (apiKeyRequired && (body['x-amazon-apigateway-api-key-source'] !== 'AUTHORIZER' || authorizerId === null)) {
    throw new TemplateError(`${where}: needs an API key, whose source must be AUTHORIZER, and so an authorizer`);
  }
  return { authorizerId, apiKeyRequired };
}

function integrationOf(operation: Operation, calls: Calls, sourceArn: string, where: string): IntegrationModel {
  const integration = operation['x-amazon-apigateway-integration'];
  if (integration.type === 'aws_proxy') {
    const called = invokedFunction(integration.uri, where);
    if (!calls.mayInvoke(called, sourceArn)) {
      throw new TemplateError(`${where}: no AWS::Lambda::Permission lets API Gateway invoke ${called} for it`);
    }
    return { type: 'lambda', functionArn: calls.functionOf(called), timeoutMs: integration.timeoutInMillis };
  }
  const { statusCode, responseParameters, responseTemplates } = integration.responses.default;
  const chosen = /statusCode"?\s*:\s*\d+/.test(integration.requestTemplates['application/json']);
  const declared = operation.responses[statusCode];
  if (!chosen || !declared) {
    throw new TemplateError(
      `${where}: a mock needs a status code in its request template, and a response of its status`,
    );
  }
  const body = responseTemplates['application/json'] ?? '';
  if (/[$#]/.test(body)) throw new TemplateError(`${where}: only a static mock body runs on this machine`);
  const headers = unquoted(responseParameters, 'method.response.header.', where);
  for (const name of Object.keys(headers)) {
    if (!(name in declared.headers)) throw new TemplateError(`${where}: no response declares the header ${name}`);
  }
  return { type: 'mock', status: Number(statusCode), headers, body };
}

/** `arn:aws:apigateway:<region>:lambda:path/2015-03-31/functions/<function ARN>/invocations` → the function's ARN. */
function invokedFunction(uri: string, where: string): string {
  const [, functionArn] = /:lambda:path\/2015-03-31\/functions\/(arn:[^/]+)\/invocations$/.exec(uri) ?? [];
  if (!functionArn) throw new TemplateError(`${where}: ${JSON.stringify(uri)} does not invoke a Lambda function`);
  return functionArn;
}
