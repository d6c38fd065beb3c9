import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
  type SecretsManagerClientConfig,
} from '@aws-sdk/client-secrets-manager';
import type { SecretStore } from '../../replacement-steps.ts';

/** A secret in AWS Secrets Manager. */

/** Of the version that all functions have. Secrets Manager puts `AWSCURRENT` on the version that deploys read. */
const everywhere = 'EVERYWHERE';

export function secretStore(secretId: string, config: SecretsManagerClientConfig): SecretStore {
  const client = new SecretsManagerClient(config);
  const version = (VersionStage: string) =>
    client.send(new GetSecretValueCommand({ SecretId: secretId, VersionStage }));
  return {
    async current() {
      const { SecretString } = await version('AWSCURRENT');
      if (SecretString === undefined) throw new Error(`${secretId} has no text`);
      return SecretString;
    },
    async everywhere() {
      try {
        const { SecretString: text, CreatedDate: since } = await version(everywhere);
        return text !== undefined && since ? { text, since } : null;
      } catch (error) {
        // No version has the label yet. That the secret itself is there is known by then.
        if (error instanceof ResourceNotFoundException) return null;
        throw error;
      }
    },
    async put(text, isEverywhere) {
      const VersionStages = ['AWSCURRENT', ...(isEverywhere ? [everywhere] : [])];
      await client.send(new PutSecretValueCommand({ SecretId: secretId, SecretString: text, VersionStages }));
    },
  };
}
