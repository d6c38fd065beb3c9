import { CfnAlias, type CfnFunction, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Application } from '../contract/register.ts';
import { arn } from './policy.ts';
import { deploymentOf } from './product-app.ts';

/** API Gateway's calls of functions: the permission, limited to the caller, and the address that is called. */

/** A function, or the alias of its released version. */
export type Called = CfnFunction | CfnAlias;

function arnOf(called: Called): string {
  return called instanceof CfnAlias ? called.ref : called.attrArn;
}

export type Caller = {
  readonly apiId: string;
  readonly application: Application;
  /** `*` for every method. */
  readonly method: string;
  /** Below the base address, or `*` for every path of the API. */
  readonly path: string;
};

/**
 * The stage's name is written out, because the stage waits for this permission. API Gateway's test console is not a stage,
 * and may not call.
 */
export function allowInvocation(stack: Stack, id: string, called: Called, caller: Caller): void {
  const { stage, prefix } = deploymentOf(stack, caller.application);
  const path = caller.path === '*' ? '/*' : `${prefix}${caller.path}`.replace(/\{[^}]+\}/g, '*');
  allowGateway(stack, id, called, `${caller.apiId}/${stage}/${caller.method}${path}`);
}

/** The API's only authorizer. No template knows its id: API Gateway makes the authorizer when it imports the definition. */
export function allowAuthorizer(stack: Stack, called: CfnFunction, apiId: string): void {
  allowGateway(stack, 'AuthorizerInvocation', called, `${apiId}/authorizers/*`);
}

function allowGateway(stack: Stack, id: string, called: Called, source: string): void {
  new CfnPermission(stack, id, {
    action: 'lambda:InvokeFunction',
    functionName: arnOf(called),
    principal: 'apigateway.amazonaws.com',
    sourceArn: arn('execute-api', source),
  });
}

/** https://docs.aws.amazon.com/apigateway/latest/api/API_PutIntegration.html, `uri` */
export function invocationUri(called: Called): string {
  const lambda = `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda`;
  return `${lambda}:path/2015-03-31/functions/${arnOf(called)}/invocations`;
}
