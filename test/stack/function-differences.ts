import { isDeepStrictEqual } from 'node:util';
import { settings } from '../../functions/settings.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { type DeclaredFunction, declaredFunctions } from './declared-functions.ts';
import { expectedStatements } from './expected-statements.ts';
import { expectedVariables } from './expected-variables.ts';
import { grantDifferences, statementsOf } from './grant-differences.ts';
import { ofType, properties, resource, type Stage, type Template } from './stage.ts';

/** A line for each way in which a stage's functions are not what the declarations ask for: `SleepcareConsents/Agree: …`. */
export function functionDifferences(environment: Environment, templates: Stage['templates']): string[] {
  const declared = declaredFunctions(environment);
  const names = new Set(declared.map(({ name }) => name));
  const undeclared = Object.entries(templates).flatMap(([where, template]) =>
    Object.keys(ofType('AWS::Lambda::Function', template))
      .map((id) => `${where}/${id.replace(/Function$/, '')}`)
      .filter((name) => !names.has(name)),
  );
  const differences = declared.flatMap((each) => {
    const [where = '', id = ''] = each.name.split('/');
    const differences = [
      ...differencesOf(templates[where], id, each, environment),
      ...(each.expires ? roleDifferences(templates.State, 'ExpiryRole', id) : []),
    ];
    return differences.map((one) => `${each.name}: ${one}`);
  });
  return [...undeclared.map((name) => `${name}: is not declared`), ...differences];
}

function differencesOf(
  template: Template | undefined,
  id: string,
  each: DeclaredFunction,
  environment: Environment,
): string[] {
  const needed = [`${id}Function`, `${id}Logs`, each.expires ? `${id}Policy` : `${id}Role`];
  const missing = needed.filter((one) => template?.Resources[one] === undefined);
  if (missing.length > 0) return missing.map((one) => `${one} is missing`);
  const variables = expectedVariables(each, environment);
  const made = properties(template, `${id}Function`);
  const found = (made.Environment as { Variables: Record<string, string> }).Variables;
  return [
    ...valueDifferences(settingsOf(template, id), expectedSettings(each, id, variables)),
    ...(Number(made.MemorySize) <= 1769 ? [] : [`MemorySize is ${made.MemorySize}, more than one processor`]),
    ...valueDifferences(found, variables).map((one) => `variable ${one}`),
    ...valueDifferences(logGroupOf(template, id), expectedLogGroup(environment)).map((one) => `log group: ${one}`),
    ...(each.expires ? [] : roleDifferences(template, `${id}Role`, id)),
    ...grantDifferences(statementsOf(template, id), expectedStatements(each, environment)),
  ];
}

function settingsOf(template: Template | undefined, id: string) {
  const made = properties(template, `${id}Function`);
  const { Runtime, Architectures, Handler, TracingConfig, LoggingConfig, Role, Timeout, KmsKeyArn } = made;
  const { LogGroup } = LoggingConfig as { LogGroup: string };
  const bundle = resource(template, `${id}Function`).Metadata?.operation;
  return { Runtime, Architectures, Handler, TracingConfig, LogGroup, Role, Timeout, KmsKeyArn, bundle };
}

function expectedSettings(each: DeclaredFunction, id: string, variables: Record<string, string>) {
  const hasSecret = Object.values(variables).some((value) => value.includes('{{resolve:secretsmanager:'));
  return {
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    Handler: 'index.handler',
    TracingConfig: { Mode: 'Active' },
    LogGroup: `<${id}Logs>`,
    Role: each.expires ? '<State:ExpiryRole.Arn>' : `<${id}Role.Arn>`,
    Timeout: each.timeoutSeconds,
    // Otherwise everybody who may read the function's configuration reads the secret.
    KmsKeyArn: hasSecret ? '<State:Key.Arn>' : undefined,
    bundle: each.bundle,
  };
}

function logGroupOf(template: Template | undefined, id: string) {
  const { DeletionPolicy } = resource(template, `${id}Logs`);
  return { ...properties(template, `${id}Logs`), DeletionPolicy };
}

function expectedLogGroup(environment: Environment) {
  return {
    RetentionInDays: settings[environment].logRetentionDays,
    KmsKeyId: '<State:Key.Arn>',
    ...(settings[environment].keepsData && { DeletionProtectionEnabled: true }),
    DeletionPolicy: environment === 'prod' ? 'Retain' : 'Delete',
  };
}

function roleDifferences(template: Template | undefined, role: string, id: string): string[] {
  const { ManagedPolicyArns = [], AssumeRolePolicyDocument } = properties(template, role);
  const isOwn = new RegExp(`^<${id}Tables\\d>$`);
  const others = (ManagedPolicyArns as string[]).filter((one) => !isOwn.test(one));
  const { Statement } = AssumeRolePolicyDocument as { Statement: object[] };
  const byLambda = [{ Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' }];
  return [
    ...others.map((one) => `its role has the policy ${one}, which others can have, too`),
    ...(isDeepStrictEqual(Statement, byLambda) ? [] : [`its role is assumed by ${JSON.stringify(Statement)}`]),
  ];
}

/** A line for each key with another value. */
export function valueDifferences(found: object, expected: object): string[] {
  const [values, wanted] = [new Map<string, unknown>(Object.entries(found)), new Map(Object.entries(expected))];
  return [...new Set([...wanted.keys(), ...values.keys()])].flatMap((key) => {
    if (isDeepStrictEqual(values.get(key), wanted.get(key))) return [];
    const text = (all: ReadonlyMap<string, unknown>) => JSON.stringify(all.get(key)) ?? 'absent';
    return [`${key} is ${text(values)}, and should be ${text(wanted)}`];
  });
}
