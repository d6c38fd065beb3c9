import { CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/register.ts';
import type { Settings } from '../contract/settings.ts';
import { acknowledge } from './acknowledgements.ts';
import { productOf } from './product-app.ts';
import { removal } from './removal.ts';

/** By name. */
export type Secrets = ReadonlyMap<string, CfnSecret>;

/** The environment's secrets, as the domains declare them. Each is made once, and kept where data is kept: the data could not be read without it. */
export function addSecrets(
  stack: Stack,
  environment: Environment,
  { keyArn, settings }: { readonly keyArn: string; readonly settings: Settings },
): Secrets {
  return new Map(
    productOf(stack).declarations.secrets.map(({ name, does }) => {
      const made = new CfnSecret(stack, name, {
        description: `Mobile health, ${environment}: ${does}`,
        kmsKeyId: keyArn,
        // A ring of one key (lib/contract/key-ring.ts).
        generateSecretString: { passwordLength: 64, excludePunctuation: true },
      });
      made.applyRemovalPolicy(removal(settings.keepsData));
      acknowledge(made, 'replacedInSteps');
      return [name, made];
    }),
  );
}

/** CloudFormation reads the secret when it deploys a function that needs it, or a change of that function. So the function needs no call at its start. */
export function referenceTo({ ref }: Pick<CfnSecret, 'ref'>): string {
  return `{{resolve:secretsmanager:${ref}:SecretString}}`;
}
