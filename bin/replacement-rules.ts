import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** What CloudFormation does with a resource when one of its properties changes, and which resources must not go. */

export type ReplacementRules = {
  /** What a change of the property does: `yes`, it makes a new resource and deletes the old one; `maybe`, it may do so. */
  readonly replaces: (type: string, property: string) => 'yes' | 'maybe' | 'no';
  /** Why a resource of this type cannot simply be made again; null if it can. */
  readonly keeps: (type: string) => string | null;
};

/** Resources with data, and resources whose id is known to others. */
const irreplaceable: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'its rows',
  'AWS::Cognito::UserPool': 'its users and their passwords',
  'AWS::Cognito::UserPoolClient': 'the sessions of all users, and the id that tokens are checked for',
  'AWS::Cognito::UserPoolGroup': 'which users have the role',
  'AWS::S3::Bucket': 'its objects',
  'AWS::KMS::Key': 'everything that it has encrypted or signed',
  'AWS::SecretsManager::Secret': 'the secret',
  'AWS::SQS::Queue': 'the messages that wait in it',
  'AWS::SNS::Topic': 'its subscriptions',
  'AWS::Events::EventBus': 'the rules of other services on it',
  'AWS::Backup::BackupVault': 'the backups',
  'AWS::ApiGateway::RestApi': 'the address that the installed apps call',
};

/** These properties cannot be changed: the update fails unless the resource is replaced. The CDK's list does not have them. */
const fixed: Readonly<Record<string, readonly string[]>> = {
  'AWS::Cognito::UserPool': ['UsernameAttributes', 'AliasAttributes', 'UsernameConfiguration'],
  'AWS::KMS::Key': ['KeySpec', 'KeyUsage', 'MultiRegion'],
};

type Described = { cloudFormationType: string; properties: Record<string, { causesReplacement?: string }> };

/** Reads the CDK CLI's copy of CloudFormation's documentation, which `cdk diff` reads too. Its version is pinned with the CLI. */
export function readReplacementRules(
  file = join(import.meta.dirname, '..', 'node_modules', 'aws-cdk', 'db.json.gz'),
): ReplacementRules {
  const { schema } = JSON.parse(gunzipSync(readFileSync(file)).toString());
  const types = new Map(
    (Object.values(schema.resource.entities ?? schema.resource) as Described[]).map(
      ({ cloudFormationType, properties }) => [cloudFormationType, properties],
    ),
  );
  return {
    replaces(type, property) {
      if (fixed[type]?.includes(property)) return 'yes';
      const known = types.get(type);
      // For a type or property that is not in the list, the answer is not known.
      if (!known?.[property]) return 'maybe';
      const { causesReplacement = 'no' } = known[property];
      return causesReplacement === 'yes' || causesReplacement === 'maybe' ? causesReplacement : 'no';
    },
    keeps: (type) => irreplaceable[type] ?? null,
  };
}
