import { CfnManagedPolicy, CfnPolicy, CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import type { Stack } from 'aws-cdk-lib/core';
import type { Settings } from '../contract/settings.ts';
import { type AcknowledgementName, acknowledge } from './acknowledgements.ts';
import { readVariables, writeLogs, writeTraces } from './grants.ts';
import { logicalId } from './names.ts';
import { assumedBy, compact, divide, policy, type Statement } from './policy.ts';
import { keepLogs } from './removal.ts';
import { acknowledgeWildcards } from './wildcards.ts';

/** @returns the folder of the function's bundle */
export type CodeOf = (name: string) => string;

/** The settings that all functions of a stage share. */
export type FunctionHome = {
  readonly codeOf: CodeOf | null;
  readonly keyArn: string;
  readonly settings: Settings;
};

export type FunctionSpec = {
  /** The bundle's folder: `revoke-consent`. */
  readonly name: string;
  /** Absent: CloudFormation makes one. */
  readonly functionName?: string;
  /** The prefix of the logical ids. Absent: it follows from the bundle's name. */
  readonly id?: string;
  readonly description: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly size: { readonly memoryMb: number; readonly timeoutSeconds: number };
  /** Permissions beyond its logs and traces. */
  readonly statements?: readonly Statement[];
  /** The role that it runs as, if another resource's policy names that role. Absent: a role of its own. */
  readonly role?: Pick<CfnRole, 'attrArn' | 'ref'>;
  /** The function sends messages to itself: its work continues in the next invocation. By default Lambda stops this after 16 invocations. */
  readonly feedsItself?: boolean;
  /** Where failed events go. Absent: the error goes to the caller. */
  readonly failures?: Extract<AcknowledgementName, 'failsToItsSource' | 'failsToItsCaller' | 'lostWithoutHarm'>;
};

/**
 * A function with its own role and log group: four resources, with the permission to be invoked. CloudFormation derives
 * their names from the stack's name, so a function can move to another stack without a clash of names, unless `functionName` is given.
 */
export function addFunction(stack: Stack, home: FunctionHome, spec: FunctionSpec): CfnFunction {
  const { id = logicalId(spec.name) } = spec;
  const { tracing, logRetentionDays } = home.settings;
  const logs = new CfnLogGroup(stack, `${id}Logs`, { retentionInDays: logRetentionDays, kmsKeyId: home.keyArn });
  keepLogs(logs, home.settings.keepsData);
  // Otherwise everybody with lambda:GetFunctionConfiguration could read the variables. Now they also need the right to use
  // the key.
  const hasSecret = Object.values(spec.environment).some((value) => value.includes('{{resolve:secretsmanager:'));
  const statements = compact([
    writeLogs(logs.attrArn),
    ...(tracing ? [writeTraces] : []),
    ...(hasSecret ? [readVariables(home.keyArn, spec.functionName)] : []),
    ...(spec.statements ?? []),
  ]);
  const role = spec.role ?? addRole(stack, id, statements);
  const code = home.codeOf && new Asset(stack, `${id}Code`, { path: home.codeOf(spec.name) });
  const made = new CfnFunction(stack, `${id}Function`, {
    ...(spec.functionName !== undefined && { functionName: spec.functionName }),
    description: spec.description,
    role: role.attrArn,
    code: code ? { s3Bucket: code.s3BucketName, s3Key: code.s3ObjectKey } : { s3Bucket: 'local', s3Key: spec.name },
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
    // In the text format Lambda stores the lines unchanged; in JSON it would wrap each line in another object.
    loggingConfig: { logGroup: logs.ref, logFormat: 'Text' },
  });
  // Lambda refuses a function with tracing whose role does not allow it. CloudFormation would not wait for the policy by
  // itself.
  if (spec.role) made.addResourceDependency(extendRole(stack, id, spec.role, statements));
  acknowledge(made, 'outsideVpc', 'sharedConcurrency', spec.failures ?? 'failsToItsCaller');
  code?.addResourceMetadata(made, 'Code');
  // The local stage finds the code by this name.
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

/** Permissions that a function adds to another resource's role. */
function extendRole(stack: Stack, id: string, role: Pick<CfnRole, 'ref'>, statements: readonly Statement[]): CfnPolicy {
  const made = new CfnPolicy(stack, `${id}Policy`, {
    // The name contains the function's name: the role may also have policies of other functions.
    policyName: `${stack.stackName}-${id}`,
    policyDocument: policy(...statements),
    roles: [role.ref],
  });
  acknowledge(made, 'policyOfOneRole');
  acknowledgeWildcards(made, statements);
  return made;
}
