import { type CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import {
  GetFunctionConfigurationCommand,
  type LambdaClient,
  UpdateFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import type { SecretFunctions } from './replacement-steps.ts';
import { isUnanswered, stackNamed } from './stack-run.ts';

/** The functions of a stage that have a variable, and where a secret is, read with the shell's AWS credentials. */

export type Clients = {
  readonly cloudFormation: CloudFormationClient;
  readonly lambda: Pick<LambdaClient, 'send'>;
};

/** @param stacks the stage's, without those inside them */
export function functionsWith(variable: string, stacks: readonly string[], clients: Clients): SecretFunctions {
  const { cloudFormation, lambda } = clients;
  let names: Promise<readonly string[]> | undefined;
  return {
    names: () => {
      names ??= namesWith(variable, stacks, clients);
      return names;
    },
    async read(name) {
      const { variables, isUpdating } = await configurationOf(lambda, name);
      return { text: variables[variable] ?? '', isUpdating };
    },
    async write(name, text) {
      const { variables, revision } = await configurationOf(lambda, name);
      const Environment = { Variables: { ...variables, [variable]: text } };
      // Lambda refuses it where the function was changed since it was read.
      const change = { FunctionName: name, Environment, RevisionId: revision };
      await lambda.send(new UpdateFunctionConfigurationCommand(change));
    },
    async deploying() {
      const found = await Promise.all(stacks.map((stack) => stackNamed(cloudFormation, stack)));
      return stacks.filter((_, at) => {
        const stack = found[at];
        return stack?.StackStatus?.endsWith('_IN_PROGRESS') && !isUnanswered(stack);
      });
    },
  };
}

/** The id of a resource by its name in the template. @throws an Error where the stack has none */
export async function resourceId(client: CloudFormationClient, stack: string, logicalId: string): Promise<string> {
  for await (const { id, name } of resourcesOf(client, stack)) if (name === logicalId) return id;
  throw new Error(`the stack ${stack} has no ${logicalId}`);
}

async function namesWith(
  variable: string,
  stacks: readonly string[],
  { cloudFormation, lambda }: Clients,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const stack of stacks) {
    for await (const { id, type } of resourcesOf(cloudFormation, stack)) {
      if (type !== 'AWS::Lambda::Function') continue;
      if ((await configurationOf(lambda, id)).variables[variable] !== undefined) found.push(id);
    }
  }
  if (found.length === 0) throw new Error(`no function has the variable ${variable}`);
  return found;
}

type Found = { readonly id: string; readonly name: string; readonly type: string };

/** With those of the stacks inside it. */
async function* resourcesOf(client: CloudFormationClient, stack: string): AsyncGenerator<Found> {
  for await (const page of paginateListStackResources({ client }, { StackName: stack })) {
    for (const {
      PhysicalResourceId: id,
      LogicalResourceId: name = '',
      ResourceType: type = '',
    } of page.StackResourceSummaries ?? []) {
      if (id === undefined) continue;
      if (type === 'AWS::CloudFormation::Stack') yield* resourcesOf(client, id);
      else yield { id, name, type };
    }
  }
}

async function configurationOf(lambda: Clients['lambda'], FunctionName: string) {
  const found = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
  const { Environment, LastUpdateStatus, RevisionId: revision } = found;
  // Without the right to use the key, Lambda answers no variables: these functions must not look like functions without any.
  if (Environment?.Error)
    throw new Error(`${FunctionName}: its variables cannot be read: ${Environment.Error.ErrorCode}`);
  // An update that failed left the variables as they were: the next one may well succeed.
  return { variables: Environment?.Variables ?? {}, isUpdating: LastUpdateStatus === 'InProgress', revision };
}
