import * as z from 'zod/mini';
import type { FunctionModel } from '../model.ts';
import { wildcardMatch } from '../wildcard.ts';
import type { Deployment } from './deployment.ts';
import { attributeOf, physicalName } from './physical.ts';
import { Numeric, ofType, read, Texts } from './resources.ts';
import { assetNamed } from './stacks.ts';

const Properties = z.object({
  Code: z.object({ S3Key: z.string() }),
  Handler: z.string(),
  Role: z.string(),
  // Lambda's own defaults.
  Timeout: z._default(Numeric, 3),
  MemorySize: z._default(Numeric, 128),
  Environment: z.optional(z.object({ Variables: z.optional(Texts) })),
});

/**
 * The project's functions. CDK's functions for its own resources have no operation and do not run here.
 *
 * @param codeOf the folder of an operation's code, for templates without code
 */
export function functionsOf(deployment: Deployment, codeOf?: (operation: string) => string): FunctionModel[] {
  return ofType(deployment, 'AWS::Lambda::Function').flatMap((resource) => {
    const { operation } = resource.metadata;
    if (typeof operation !== 'string') return [];
    const properties = read(resource, Properties);
    return {
      name: physicalName(resource),
      arn: String(attributeOf(resource, 'Arn')),
      operation,
      codeDir: codeOf?.(operation) ?? assetNamed(resource.stack, properties.Code.S3Key, `${resource.path}.Code`),
      handler: properties.Handler,
      environment: properties.Environment?.Variables ?? {},
      timeoutMs: properties.Timeout * 1000,
      memoryMb: properties.MemorySize,
      roleArn: properties.Role,
    };
  });
}

const Permission = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.optional(z.string()),
});

/**
 * Whether a service may invoke a function for a source, by the template's `AWS::Lambda::Permission`s.
 *
 * @param service `apigateway.amazonaws.com`
 */
export function invokePermissions(
  deployment: Deployment,
  service: string,
): (functionArn: string, sourceArn: string) => boolean {
  const permissions = ofType(deployment, 'AWS::Lambda::Permission')
    .map((resource) => read(resource, Permission))
    .filter(({ Action, Principal }) => Action === 'lambda:InvokeFunction' && Principal === service);
  return (functionArn, sourceArn) =>
    permissions.some(
      ({ FunctionName, SourceArn = '*' }) =>
        (functionArn === FunctionName || functionArn.endsWith(`:function:${FunctionName}`)) &&
        wildcardMatch(SourceArn, sourceArn),
    );
}

const InvokeConfig = z.object({
  FunctionName: z.string(),
  // Lambda's own default.
  MaximumRetryAttempts: z._default(Numeric, 2),
});

/** How often Lambda retries a failed asynchronous invocation of a function. */
export function asyncRetries(deployment: Deployment): (fn: FunctionModel) => number {
  const configs = ofType(deployment, 'AWS::Lambda::EventInvokeConfig').map((resource) => read(resource, InvokeConfig));
  return ({ name, arn }) =>
    configs.find(({ FunctionName }) => [name, arn].includes(FunctionName))?.MaximumRetryAttempts ?? 2;
}
