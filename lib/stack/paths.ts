import { CfnMethod, CfnResource } from 'aws-cdk-lib/aws-apigateway';
import { acknowledge } from './acknowledgements.ts';
import { constants, preflightHeaders } from './cors.ts';
import type { DeployedParts } from './deployed-parts.ts';
import { pathId } from './names.ts';

/**
 * The API's resource tree. Each resource also answers OPTIONS (the preflight) and ANY (the 404 of an unknown method), so
 * that a path costs three of the stack's 500 resources and a route one.
 */
export class Paths {
  private readonly parts: DeployedParts;
  private readonly restApiId: string;
  private readonly notFoundUri: string;
  /** Path → API Gateway's resource id. */
  private readonly ids = new Map<string, string>();

  constructor(parts: DeployedParts, restApiId: string, rootId: string, notFoundUri: string) {
    this.parts = parts;
    this.restApiId = restApiId;
    this.notFoundUri = notFoundUri;
    this.made('/', rootId);
    this.idOf('/{proxy+}');
  }

  /** @throws an Error where a sibling has another parameter: API Gateway allows one for each parent. */
  idOf(path: string): string {
    const known = this.ids.get(path);
    if (known) return known;
    const parent = path.slice(0, path.lastIndexOf('/')) || '/';
    const pathPart = path.slice(path.lastIndexOf('/') + 1);
    const rival = [...this.ids.keys()].find(
      (other) => /^\{\w+\}$/.test(pathPart) && other.replace(/\{\w+\}$/, '') === path.replace(/\{\w+\}$/, ''),
    );
    if (rival) throw new Error(`${path} and ${rival}: one parameter only below ${parent}; name both alike`);
    const { restApiId } = this;
    const parentId = this.idOf(parent);
    const resource = this.parts.add(CfnResource, `${pathId(path)}Path`, { restApiId, parentId, pathPart });
    return this.made(path, resource.ref);
  }

  private made(path: string, resourceId: string): string {
    this.ids.set(path, resourceId);
    const { restApiId } = this;
    const shared = { restApiId, resourceId, authorizationType: 'NONE' };
    this.parts.add(CfnMethod, `${pathId(path)}Options`, { ...shared, httpMethod: 'OPTIONS', ...preflight });
    // A bearer token on an unknown method would otherwise be answered by AWS's own 403 about a missing equal-sign.
    const any = this.parts.add(CfnMethod, `${pathId(path)}Any`, {
      ...shared,
      httpMethod: 'ANY',
      integration: { type: 'AWS_PROXY', integrationHttpMethod: 'POST', uri: this.notFoundUri },
    });
    acknowledge(any, 'answersNotFound');
    return resourceId;
  }
}

const preflight = {
  integration: {
    type: 'MOCK',
    requestTemplates: { 'application/json': '{"statusCode":204}' },
    integrationResponses: [
      { statusCode: '204', responseParameters: constants('method.response.header', preflightHeaders) },
    ],
  },
  methodResponses: [
    {
      statusCode: '204',
      responseParameters: Object.fromEntries(
        Object.keys(preflightHeaders).map((name) => [`method.response.header.${name}`, true]),
      ),
    },
  ],
};
