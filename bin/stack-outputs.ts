import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { environmentNamed } from '../lib/contract/deployments.ts';
import { callLimits } from '../lib/runtime/clients.ts';

/** An output of the stack that holds a deployed stage's data and users, read with the shell's AWS credentials. */
export async function stateOutput(stage: unknown, key: string): Promise<string> {
  const name = `MobileHealth-${environmentNamed(stage)}-State`;
  const { Stacks = [] } = await new CloudFormationClient(callLimits).send(
    new DescribeStacksCommand({ StackName: name }),
  );
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === key);
  if (!output?.OutputValue) throw new Error(`the stack ${name} has no output ${key}`);
  return output.OutputValue;
}
