import { CloudFormationClient, DescribeStackResourceCommand, GetTemplateCommand } from '@aws-sdk/client-cloudformation';
import { GetParametersCommand, SSMClient } from '@aws-sdk/client-ssm';
import { settings } from '../functions/settings.ts';
import type { Environment } from '../lib/contract/register.ts';
import { isUnanswered, stackNamed } from './stack-run.ts';
import type { Deployed } from './stage-changes.ts';
import { parseTemplate } from './template-body.ts';

/** What is deployed, read with the shell's AWS credentials and region. */

const limits = {
  maxAttempts: 5,
  requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000, throwOnRequestTimeout: true },
};

export function deployedInTheShellsAccount(client = new CloudFormationClient(limits)): Deployed {
  return {
    async template(stack) {
      // The stack has no template, or its template was never deployed. CloudFormation lists a deleted stack for 90 days.
      const found = await stackNamed(client, stack);
      if (!found || isUnanswered(found) || isGone.test(found.StackStatus ?? '')) return null;
      if (isBeingMade.test(found.StackStatus ?? ''))
        throw new Error(`${stack} is ${found.StackStatus}: wait for its end`);
      const { TemplateBody } = await client
        .send(new GetTemplateCommand({ StackName: stack, TemplateStage: 'Original' }))
        .catch(unlessMissing({ TemplateBody: undefined }));
      return TemplateBody === undefined ? null : parseTemplate(stack, TemplateBody);
    },
    async nested(stack, logicalId) {
      const { StackResourceDetail } = await client
        .send(new DescribeStackResourceCommand({ StackName: stack, LogicalResourceId: logicalId }))
        .catch(unlessMissing({ StackResourceDetail: undefined }));
      return StackResourceDetail?.PhysicalResourceId ?? null;
    },
  };
}

/** Deleted, or its creation was rolled back: the next deployment makes it anew. */
const isGone = /^(DELETE_COMPLETE|ROLLBACK_(COMPLETE|FAILED))$/;

/** What becomes of it decides what is deployed. */
const isBeingMade = /^(CREATE|ROLLBACK)_IN_PROGRESS$/;

/** CloudFormation has no separate error for a stack that does not exist. */
function unlessMissing<T>(otherwise: T): (error: unknown) => T {
  return (error) => {
    if (error instanceof Error && error.name === 'ValidationError' && /does not exist/.test(error.message))
      return otherwise;
    throw error;
  };
}

/** A value of Parameter Store that a stack read in its last deployment. */
export type ReadValue = { readonly stack: string; readonly name: string; readonly value: string };

/** The values that have changed or no longer exist: the stack still uses the old ones. */
export function staleAmong(read: readonly ReadValue[], current: ReadonlyMap<string, string>): ReadValue[] {
  return read.filter(({ name, value }) => current.get(name) !== value);
}

export function staleLine({ stack, name }: ReadValue): string {
  return `STALE: ${stack} still uses an old value of ${name}; a deployment of all stacks gives it the new value`;
}

/** The path in Parameter Store of values that this project's stacks share. The bootstrap's version is not below it and is ignored. */
const ours = '/mobile-health/';

/** CloudFormation reads a parameter only when a stack is deployed. */
export async function staleReaders(
  stacks: readonly string[],
  client = new CloudFormationClient(limits),
  ssm = new SSMClient(limits),
): Promise<ReadValue[]> {
  const found = await Promise.all(stacks.map((stack) => stackNamed(client, stack)));
  const read = found.flatMap((stack, i) =>
    (stack?.Parameters ?? []).flatMap(({ ParameterValue: name, ResolvedValue: value }) =>
      name === undefined || value === undefined || !name.startsWith(ours)
        ? []
        : [{ stack: stacks[i] ?? '', name, value }],
    ),
  );
  return staleAmong(read, await valuesOf(ssm, [...new Set(read.map(({ name }) => name))]));
}

/** The most names that SSM accepts in one call. */
const batch = 10;

async function valuesOf(client: SSMClient, names: readonly string[]): Promise<Map<string, string>> {
  const values = new Map<string, string>();
  for (let at = 0; at < names.length; at += batch) {
    const { Parameters = [] } = await client.send(new GetParametersCommand({ Names: names.slice(at, at + batch) }));
    for (const { Name = '', Value = '' } of Parameters) values.set(Name, Value);
  }
  return values;
}

/** @throws an Error where the settings name another account for the stage */
export function assertAccount(stage: Environment, account: string, wanted = settings[stage].account): void {
  if (wanted === null || wanted === account) return;
  throw new Error(
    `${stage} belongs to account ${wanted} (functions/settings.ts), and the shell's credentials are of ${account}`,
  );
}

/** The account, from the ARN of the bootstrap's parameter. Without the bootstrap the CDK cannot deploy. */
export async function whereabouts(ssm = new SSMClient(limits)): Promise<{ account: string; region: string }> {
  const { Parameters = [] } = await ssm.send(new GetParametersCommand({ Names: [bootstrapVersion] }));
  // arn:aws:ssm:eu-central-1:111122223333:parameter/…
  const [, , , region = await ssm.config.region(), account] = Parameters[0]?.ARN?.split(':') ?? [];
  return { account: account ?? 'unknown, as it is not bootstrapped', region };
}

const bootstrapVersion = '/cdk-bootstrap/hnb659fds/version';
