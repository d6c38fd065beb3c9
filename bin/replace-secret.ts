import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { LambdaClient, LambdaServiceException } from '@aws-sdk/client-lambda';
import { declarations } from '../functions/domains.ts';
import { environments } from '../functions/product.ts';
import { environmentNamed } from '../lib/contract/environment-named.ts';
import { cursorSecret, cursorVariable, secretVariable } from '../lib/contract/secrets.ts';
import { stacksOf } from './destroy-stage.ts';
import { type Replacement, report, type SecretStore, type Step, steps, takeStep } from './replacement-steps.ts';
import { functionsWith, resourceId } from './secret-functions.ts';
import { loadTool } from './tools.ts';

/**
 * `npm run replace-secret -- --stage dev --secret SignInKey`: shows a secret's keys by their ids. `--step add`, then `--step use`, and
 * after the time that the secret declares `--step drop` replace its key while the service runs; `--step drop --leaked <key id>` drops an
 * old key at once, and `--step repair` gives the keys to functions that a failed deploy gave others. With the shell's AWS credentials and region. docs/runbook.md#replacing-a-secret
 */

const usage =
  'npm run replace-secret -- --stage dev|staging|prod --secret NAME [--step add|use|drop|repair] [--leaked KEY-ID, with --step drop]';
/** Lambda's control plane takes 15 calls a second. */
const limits = { maxAttempts: 10, requestHandler: { connectionTimeout: 3000, requestTimeout: 20_000 } };
/** As long as the longest invocation of a function that has a secret, and more. */
const settleMs = 60_000;

try {
  const { values } = parseArgs({
    options: {
      stage: { type: 'string' },
      secret: { type: 'string' },
      step: { type: 'string' },
      leaked: { type: 'string' },
    },
  });
  const { stage, secret: name, step, leaked } = values;
  const secrets = [...declarations.secrets, cursorSecret];
  const secret = secrets.find((each) => each.name === name);
  if (stage === undefined || name === undefined || !isStep(step) || (leaked !== undefined && step !== 'drop'))
    throw new Error(usage);
  if (!secret) throw new Error(`${name} is none of ${secrets.map((each) => each.name).join(', ')}`);
  const stacks = stacksOf(environmentNamed(environments, stage));
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
  console.error(error instanceof Error && !isQuoting ? error.message : (error as Error).name);
  process.exitCode = 1;
}

function isStep(text: string | undefined): text is Step | undefined {
  return text === undefined || steps.some((step) => step === text);
}
