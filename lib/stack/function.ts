import { join } from 'node:path';
import { CfnManagedPolicy, CfnPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Stack } from 'aws-cdk-lib/core';
import { type AcknowledgementName, acknowledge } from './acknowledgements.ts';
import { readVariables, writeLogs, writeTraces } from './grants.ts';
import { logicalId } from './names.ts';
import { assumedBy, compact, divide, policy, type Statement } from './policy.ts';
import { removalOnceMade } from './removal.ts';
import type { Settings } from './settings.ts';
import { acknowledgeWildcards } from './wildcards.ts';

/** Where the functions' code and logs are, the same for all of a stage. */
export type FunctionHome = {
  /** The bundles: a folder for each function, named as it. */
  readonly functionsDir: string;
  readonly keyArn: string;
  readonly settings: Settings;
};

export type FunctionSpec = {
  /** The bundle's folder: `revoke-consent`. */
  readonly name: string;
  /** What the logical ids begin with; absent: as the bundle is named. */
  readonly id?: string;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly size: { readonly memoryMb: number; readonly timeoutSeconds: number };
  /** Beyond its logs and traces. */
  readonly statements?: readonly Statement[];
  /** What it runs as, where another resource's policy names that role; absent: a role of its own. */
  readonly role?: Pick<CfnRole, 'attrArn' | 'ref'>;
  /** It sends messages to itself: its work continues in the next invocation. By default Lambda stops this after 16 invocations. */
  readonly feedsItself?: boolean;
  /** Where what it fails of goes; absent: to who called it. */
  readonly failures?: Extract<AcknowledgementName, 'failsToItsSource' | 'lostWithoutHarm'>;
};

/**
 * A function with a role and a log group of its own: four resources with its permission to be invoked. CloudFormation
 * names all of them after the stack, so that a function can move to another stack without a clash of names.
 */
export function addFunction(stack: Stack, home: FunctionHome, spec: FunctionSpec): CfnFunction {
  const { id = logicalId(spec.name) } = spec;
  const { tracing, logRetentionDays } = home.settings;
  const logs = new CfnLogGroup(stack, `${id}Logs`, { retentionInDays: logRetentionDays, kmsKeyId: home.keyArn });
  logs.applyRemovalPolicy(removalOnceMade(home.settings.keepsData));
  // Else everybody with lambda:GetFunctionConfiguration could read it; so it takes the right to use the key, too.
  const hasSecret = Object.values(spec.environment).some((value) => value.includes('{{resolve:secretsmanager:'));
  const statements = compact([
    writeLogs(logs.attrArn),
    ...(tracing ? [writeTraces] : []),
    ...(hasSecret ? [readVariables(home.keyArn)] : []),
    ...(spec.statements ?? []),
  ]);
  const role = spec.role ?? addRole(stack, id, statements);
  const code = new Asset(stack, `${id}Code`, { path: join(home.functionsDir, spec.name), exclude: ['*.map'] });
  const made = new CfnFunction(stack, `${id}Function`, {
    description: spec.description,
    role: role.attrArn,
    code: { s3Bucket: code.s3BucketName, s3Key: code.s3ObjectKey },
    handler: 'index.handler',
    runtime: 'nodejs24.x',
    architectures: ['arm64'],
    memorySize: spec.size.memoryMb,
    timeout: spec.size.timeoutSeconds,
    // https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html
    ...(spec.feedsItself && { recursiveLoop: 'Allow' }),
    environment: { variables: { ...spec.environment } },
    ...(hasSecret && { kmsKeyArn: home.keyArn }),
    tracingConfig: { mode: tracing ? 'Active' : 'PassThrough' },
    // In the text format Lambda stores the lines as they were written; in JSON it would wrap them once more.
    loggingConfig: { logGroup: logs.ref, logFormat: 'Text' },
  });
  // Lambda refuses to make a function that traces whose role may not, and CloudFormation sees no reason to wait.
  if (spec.role) made.addResourceDependency(extendRole(stack, id, spec.role, statements));
  acknowledge(made, 'outsideVpc', 'sharedConcurrency', spec.failures ?? 'failsToItsCaller');
  code.addResourceMetadata(made, 'Code');
  // Which bundle a function runs, for those who read the template: the local stage does.
  made.addMetadata('operation', spec.name);
  return made;
}

function addRole(stack: Stack, id: string, statements: readonly Statement[]): CfnRole {
  const { inline, managed } = divide(statements);
  const policies = managed.map((document, index) => {
    const one = new CfnManagedPolicy(stack, `${id}Tables${index + 1}`, { policyDocument: policy(...document) });
    acknowledgeWildcards(one, document);
    return one.ref;
  });
  const made = new CfnRole(stack, `${id}Role`, {
    assumeRolePolicyDocument: assumedBy('lambda.amazonaws.com'),
    policies: [{ policyName: 'function', policyDocument: policy(...inline) }],
    ...(policies.length > 0 && { managedPolicyArns: policies }),
  });
  acknowledge(made, 'policyOfOneRole');
  acknowledgeWildcards(made, inline);
  return made;
}

/** What a function needs of another resource's role. */
function extendRole(stack: Stack, id: string, role: Pick<CfnRole, 'ref'>, statements: readonly Statement[]): CfnPolicy {
  const made = new CfnPolicy(stack, `${id}Policy`, {
    // Named after its function: the role may have those of others, too.
    policyName: `${stack.stackName}-${id}`,
    policyDocument: policy(...statements),
    roles: [role.ref],
  });
  acknowledge(made, 'policyOfOneRole');
  acknowledgeWildcards(made, statements);
  return made;
}
