import { setTimeout as sleep } from 'node:timers/promises';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient, LambdaServiceException } from '@aws-sdk/client-lambda';
import { declarations } from '../functions/domains.ts';
import type { Environment } from '../lib/contract/register.ts';
import { cursorSecret, cursorVariable, secretVariable } from '../lib/contract/secrets.ts';
import { stacksOf } from './destroy-stage.ts';
import { type Replacement, report, type SecretStore, type Step, takeStep } from './replacement-steps.ts';
import { functionsWith, resourceId } from './secret-functions.ts';
import { loadTool } from './tools.ts';

type Options = { readonly stage: Environment; readonly secret: string; readonly step?: Step; readonly leaked?: string };

/** Lambda's control plane takes 15 calls a second. */
const limits = { maxAttempts: 10, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };
/** As long as the longest invocation of a function that has a secret, and more. */
const settleMs = 60_000;

export async function run({ stage, secret: name, step, leaked }: Options): Promise<void> {
  if (leaked !== undefined && step !== 'drop') throw new Error('--leaked is for --step drop');
  try {
    const secrets = [...declarations.secrets, cursorSecret];
    const secret = secrets.find((each) => each.name === name);
    if (!secret) throw new Error(`${name} is none of ${secrets.map((each) => each.name).join(', ')}`);
    const stacks = stacksOf(stage);
    const cloudFormation = new CloudFormationClient(limits);
    const tool = await loadTool<{ secretStore: (secretId: string, config: typeof limits) => SecretStore }>(
      new URL('tools/secrets/secrets-manager.ts', import.meta.url),
    );
    const variable = secret === cursorSecret ? cursorVariable : secretVariable(secret);
    const replacement: Replacement = {
      secret,
      store: tool.secretStore(await resourceId(cloudFormation, stacks.at(-1) ?? '', secret.name), limits),
      functions: functionsWith(variable, stacks, { cloudFormation, lambda: new LambdaClient(limits) }),
      now: () => new Date(),
      pause: () => sleep(1000),
      settle: () => sleep(settleMs),
      print: (line) => console.log(line),
    };
    if (step !== undefined) await takeStep(replacement, step, leaked);
    await report(replacement);
  } catch (error) {
    // Lambda's message about variables that are too long quotes them all.
    const isQuoting = error instanceof LambdaServiceException && error.name === 'InvalidParameterValueException';
    throw isQuoting ? new Error(error.name) : error;
  }
}
