import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { environments } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import type { Application } from '../lib/contract/register.ts';
import { commandLimits } from '../lib/runtime/limits.ts';
import { assertAccount } from './deployed-stage.ts';

/** Such as of a stack whose creation was rolled back, or of a release before the output. */
export class NoOutput extends Error {
  override readonly name = 'NoOutput';
}

/** An output of the State stack of a deployed stage, read with the shell's AWS credentials. */
export function stateOutput(stage: unknown, key: string): Promise<string> {
  return stackOutput(stage, 'State', key);
}

/** An output of the stack with an application's API and functions. */
export function applicationOutput(stage: unknown, application: Application, key: string): Promise<string> {
  return stackOutput(stage, `${application.charAt(0).toUpperCase()}${application.slice(1)}`, key);
}

async function stackOutput(stage: unknown, stack: string, key: string): Promise<string> {
  const environment = environmentNamed(environments, stage);
  const name = `MobileHealth-${environment}-${stack}`;
  const { Stacks = [] } = await new CloudFormationClient(commandLimits).send(
    new DescribeStacksCommand({ StackName: name }),
  );
  // arn:aws:cloudformation:eu-central-1:111122223333:stack/…
  assertAccount(environment, Stacks[0]?.StackId?.split(':')[4] ?? 'unknown');
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === key);
  if (!output?.OutputValue) throw new NoOutput(`the stack ${name} has no output ${key}`);
  return output.OutputValue;
}
