import * as z from 'zod/mini';
import type { ApiModel, AuthorizerModel, GatewayResponseModel } from '../model.ts';
import { invokePermissions } from './functions.ts';
import { TemplateError } from './intrinsics.ts';
import { belongingTo, invokedFunction, type MayInvoke, methodsOf } from './methods.ts';
import { physicalName, reference } from './physical.ts';
import { Numeric, ofType, one, read, unquoted } from './resources.ts';
import type { Deployment, Resource } from './stacks.ts';
import { usagePlansOf } from './usage-plans.ts';

const RestApi = z.object({ Name: z.optional(z.string()), ApiKeySourceType: z.optional(z.string()) });

const Stage = z.object({
  StageName: z.string(),
  DeploymentId: z.string(),
  MethodSettings: z._default(
    z.array(
      z.object({
        HttpMethod: z.optional(z.string()),
        ResourcePath: z.optional(z.string()),
        ThrottlingRateLimit: z.optional(Numeric),
        ThrottlingBurstLimit: z.optional(Numeric),
      }),
    ),
    [],
  ),
});

const Authorizer = z.object({
  Type: z.string(),
  AuthorizerUri: z.string(),
  AuthorizerCredentials: z.optional(z.string()),
  IdentitySource: z._default(z.string(), 'method.request.header.Authorization'),
  AuthorizerResultTtlInSeconds: z._default(Numeric, 300),
});

const GatewayResponse = z.object({
  ResponseType: z.string(),
  StatusCode: z.optional(Numeric),
  ResponseParameters: z._default(z.record(z.string(), z.string()), {}),
  ResponseTemplates: z._default(z.record(z.string(), z.string()), {}),
});

export function apisOf(deployment: Deployment): ApiModel[] {
  // A deployed stage without the permission answers 500, so the template is refused here.
  const mayInvoke = invokePermissions(deployment, 'apigateway.amazonaws.com');
  return ofType(deployment, 'AWS::ApiGateway::RestApi').map((api) => {
    const { Name, ApiKeySourceType } = read(api, RestApi);
    const stage = stageOf(deployment, api);
    const id = reference(api);
    const arn = `arn:aws:execute-api:${deployment.region}:${deployment.accountId}:${id}`;
    const authorizers = authorizersOf(deployment, api, arn, mayInvoke);
    const methods = methodsOf(deployment, api, `${arn}/${stage.StageName}`, mayInvoke);
    for (const { authorizerId, apiKeyRequired, httpMethod, path } of methods) {
      if (authorizerId && !authorizers.some((authorizer) => authorizer.id === authorizerId)) {
        throw new TemplateError(`${api.path}: ${httpMethod} ${path} has an authorizer of another API`);
      }
      if (apiKeyRequired && ApiKeySourceType !== 'AUTHORIZER') {
        throw new TemplateError(`${api.path}: ${httpMethod} ${path} needs an API key, whose source must be AUTHORIZER`);
      }
    }
    const all = stage.MethodSettings.find(
      ({ HttpMethod, ResourcePath }) => HttpMethod === '*' && ResourcePath === '/*',
    );
    return {
      id,
      name: Name ?? physicalName(api),
      stageName: stage.StageName,
      authorizers,
      methods,
      gatewayResponses: gatewayResponsesOf(deployment, api),
      throttle:
        all?.ThrottlingRateLimit !== undefined && all.ThrottlingBurstLimit !== undefined
          ? { ratePerSecond: all.ThrottlingRateLimit, burst: all.ThrottlingBurstLimit }
          : null,
      usagePlans: usagePlansOf(deployment, id, stage.StageName),
    };
  });
}

function stageOf(deployment: Deployment, api: Resource): z.infer<typeof Stage> {
  const resource = one(belongingTo(deployment, api, 'AWS::ApiGateway::Stage'), `stage of ${api.path}`);
  const stage = read(resource, Stage);
  const deployments = belongingTo(deployment, api, 'AWS::ApiGateway::Deployment').map(reference);
  if (!deployments.includes(stage.DeploymentId)) {
    throw new TemplateError(`${resource.path}.DeploymentId is not a deployment of its API`);
  }
  return stage;
}

function authorizersOf(deployment: Deployment, api: Resource, arn: string, mayInvoke: MayInvoke): AuthorizerModel[] {
  return belongingTo(deployment, api, 'AWS::ApiGateway::Authorizer').map((resource) => {
    const properties = read(resource, Authorizer);
    const { Type: type, IdentitySource: identitySource } = properties;
    if (type !== 'TOKEN' && type !== 'REQUEST') {
      throw new TemplateError(`${resource.path}: an authorizer of type ${type} does not run on this machine`);
    }
    const id = reference(resource);
    const functionArn = invokedFunction(properties.AuthorizerUri, `${resource.path}.AuthorizerUri`);
    if (!properties.AuthorizerCredentials && !mayInvoke(functionArn, `${arn}/authorizers/${id}`)) {
      throw new TemplateError(`${resource.path}: no AWS::Lambda::Permission lets API Gateway invoke ${functionArn}`);
    }
    return { id, type, functionArn, identitySource, cacheSeconds: properties.AuthorizerResultTtlInSeconds };
  });
}

function gatewayResponsesOf(deployment: Deployment, api: Resource): GatewayResponseModel[] {
  return belongingTo(deployment, api, 'AWS::ApiGateway::GatewayResponse').map((resource) => {
    const { ResponseType, StatusCode, ResponseParameters, ResponseTemplates } = read(resource, GatewayResponse);
    return {
      responseType: ResponseType,
      statusCode: StatusCode ?? null,
      headers: unquoted(ResponseParameters, 'gatewayresponse.header.', `${resource.path}.ResponseParameters`),
      body: ResponseTemplates['application/json'] ?? null,
    };
  });
}
