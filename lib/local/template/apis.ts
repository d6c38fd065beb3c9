import * as z from 'zod/mini';
import type { ApiModel, GatewayResponseModel } from '../model.ts';
import { aliasTargets } from './aliases.ts';
import { type ApiBody, parseApiBody } from './api-body.ts';
import type { Deployment, Resource } from './deployment.ts';
import { invokePermissions } from './functions.ts';
import { TemplateError } from './intrinsics.ts';
import { authorizersOf, methodsOf } from './methods.ts';
import { physicalName, reference } from './physical.ts';
import { Numeric, ofType, one, read, unquoted } from './resources.ts';
import { usagePlansOf } from './usage-plans.ts';

const RestApi = z.object({ Name: z.optional(z.string()), Body: z.optional(z.unknown()) });

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

/** Besides a body these resources would be part of the API, too, until the next import removes them. */
const besideTheBody = ['Resource', 'Method', 'Authorizer', 'GatewayResponse', 'RequestValidator', 'Model'].map(
  (kind) => `AWS::ApiGateway::${kind}`,
);

export function apisOf(deployment: Deployment): ApiModel[] {
  const [other] = ofType(deployment, ...besideTheBody);
  if (other) throw new TemplateError(`${other.path}: an API is defined only by its Body`);
  // A deployed stage without the permission answers 500, so the template is refused here.
  const mayInvoke = invokePermissions(deployment, 'apigateway.amazonaws.com');
  const functionOf = aliasTargets(deployment);
  return ofType(deployment, 'AWS::ApiGateway::RestApi').map((api) => {
    const { Name, Body } = read(api, RestApi);
    const stage = stageOf(deployment, api);
    const id = reference(api);
    const at = `${api.path}.Body`;
    const body = parseApiBody(Body, at);
    const apiArn = `arn:aws:execute-api:${deployment.region}:${deployment.accountId}:${id}`;
    const calls = { apiArn, stageName: stage.StageName, mayInvoke, functionOf };
    const all = stage.MethodSettings.find(
      ({ HttpMethod, ResourcePath }) => HttpMethod === '*' && ResourcePath === '/*',
    );
    return {
      id,
      name: Name ?? physicalName(api),
      stageName: stage.StageName,
      authorizers: authorizersOf(body, calls, at),
      methods: methodsOf(body, calls, at),
      gatewayResponses: gatewayResponsesOf(body, at),
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

function belongingTo(deployment: Deployment, api: Resource, type: string): Resource[] {
  const id = reference(api);
  return ofType(deployment, type).filter(
    (resource) => read(resource, z.object({ RestApiId: z.string() })).RestApiId === id,
  );
}

function gatewayResponsesOf(body: ApiBody, at: string): GatewayResponseModel[] {
  const declared = body['x-amazon-apigateway-gateway-responses'];
  return Object.entries(declared).map(([responseType, { statusCode, responseParameters, responseTemplates }]) => ({
    responseType,
    statusCode: statusCode ?? null,
    headers: unquoted(responseParameters, 'gatewayresponse.header.', `${at}.${responseType}`),
    body: responseTemplates['application/json'] ?? null,
  }));
}
