import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/register.ts';
import type { Settings } from '../contract/settings.ts';
import type { SigningKey } from '../contract/signing-keys.ts';
import { policy } from './policy.ts';
import { productOf } from './product-app.ts';
import { removal } from './removal.ts';

/** By name: the current key of each kind, and all others, older and newer. */
export type SigningKeys = ReadonlyMap<string, { readonly current: CfnKey; readonly earlier: readonly CfnKey[] }>;

/**
 * The environment's signing keys, one for each generation in the settings: KMS does not rotate asymmetric keys. One of them
 * signs. Earlier keys stay, since KMS cannot verify with a deleted key. A newer key is published before its first
 * signature.
 */
export function addSigningKeys(stack: Stack, environment: Environment, settings: Settings): SigningKeys {
  const { keepsData, signingKeyGenerations, signingGeneration } = settings;
  const add = ({ name, signs }: SigningKey) => {
    const made = signingKeyGenerations.map((generation) => {
      const key = new CfnKey(stack, `${name}${generation}`, {
        description: `Mobile health, ${environment}: signs ${signs}, ${generation}`,
        keySpec: 'ECC_NIST_P256',
        keyUsage: 'SIGN_VERIFY',
        pendingWindowInDays: keepsData ? 30 : 7,
        keyPolicy: policy({
          // https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
          Sid: 'AccountDecidesByIam',
          Effect: 'Allow',
          Principal: { AWS: `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:root` },
          Action: 'kms:*',
          Resource: '*',
        }),
      });
      key.applyRemovalPolicy(removal(keepsData));
      return key;
    });
    const current = made[signingKeyGenerations.indexOf(signingGeneration)];
    if (!current) throw new Error(`${environment}: no generation ${signingGeneration} of ${name}`);
    // The commands that verify and export need this output.
    new CfnOutput(stack, `${name}Arn`, { value: current.attrArn });
    return { current, earlier: made.filter((key) => key !== current) };
  };
  return new Map(productOf(stack).declarations.signingKeys.map((declared) => [declared.name, add(declared)]));
}
