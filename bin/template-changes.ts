import {
  fullDiff,
  type PropertyDifference,
  type ResourceDifference,
  ResourceImpact,
} from '@aws-cdk/cloudformation-diff';
import type { Template, TemplateResource } from '../lib/local/index.ts';

/**
 * The changes of a deployment to one stack, from its deployed and its new template. The library of `cdk diff` also finds what
 * is replaced because it refers to a replaced resource: by a `Ref` or `Fn::GetAtt` that is the whole value of a property. It takes
 * texts for the same that are the same number (`1.10`, `1.1`).
 */

export type ResourceChange = {
  readonly logicalId: string;
  readonly type: string;
  readonly action: 'add' | 'update' | 'may-replace' | 'replace' | 'remove';
  /** The properties that differ; only for an update or a replacement. */
  readonly properties: readonly string[];
  /** What a replacement or a removal deletes, or the protection that an update removes; null if nothing is lost. */
  readonly loses: string | null;
};

/** Resources with data, and resources whose id is known to others: why they cannot simply be made again. */
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

/** @param deployed null if the stack does not exist yet */
export function changesOf(deployed: Template | null, next: Template): ResourceChange[] {
  const found: ResourceChange[] = [];
  fullDiff({ ...deployed }, { ...next }).resources.forEachDifference((logicalId, change) =>
    found.push({ logicalId, ...changeOf(change) }),
  );
  return found.toSorted((one, other) => (one.logicalId < other.logicalId ? -1 : 1));
}

function changeOf(change: ResourceDifference): Omit<ResourceChange, 'logicalId'> {
  const { oldValue, newValue, oldResourceType = '', newResourceType = '' } = change;
  if (!oldValue) return { type: newResourceType, action: 'add', properties: [], loses: null };
  const type = oldResourceType;
  const lost = irreplaceable[type] ?? null;
  if (!newValue) return { type, action: 'remove', properties: [], loses: lost };
  if (newResourceType !== type) return { type, action: 'replace', properties: ['Type'], loses: lost };
  const updates = Object.entries(change.propertyUpdates).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const properties = updates.map(([property]) => property);
  const worst = updates.map(([property, update]) => actionOf(type, property, update));
  if (worst.includes('replace')) return { type, action: 'replace', properties, loses: lost };
  if (worst.includes('may-replace')) return { type, action: 'may-replace', properties, loses: lost };
  const given = lost === null ? [] : protectionsGivenUp(oldValue as TemplateResource, newValue as TemplateResource);
  const changed = properties.length === 0 && given.length === 0 ? ['(attributes)'] : [...properties, ...given];
  const loses = given.length === 0 ? null : 'what keeps it from being deleted';
  return { type, action: 'update', properties: [...new Set(changed)], loses };
}

function actionOf(type: string, property: string, { changeImpact }: PropertyDifference<unknown>) {
  if (fixed[type]?.includes(property) || changeImpact === ResourceImpact.WILL_REPLACE) return 'replace';
  // The library says nothing of a type or a property that it does not know.
  const isUnknown = changeImpact === ResourceImpact.NO_CHANGE;
  return isUnknown || changeImpact === ResourceImpact.MAY_REPLACE ? 'may-replace' : 'update';
}

/** Protections, by name. If one is removed now, a later deployment can delete the resource without being stopped. */
function protectionsGivenUp(before: TemplateResource, after: TemplateResource): string[] {
  const held = protectionsOf(before);
  const holding = protectionsOf(after);
  return [...held].filter((name) => !holding.has(name));
}

/** A user pool has `DeletionProtection`, a table `DeletionProtectionEnabled`. */
function protectionsOf({ DeletionPolicy, UpdateReplacePolicy, Properties = {} }: TemplateResource): Set<string> {
  const protections = {
    // Also `RetainExceptOnCreate`.
    DeletionPolicy: DeletionPolicy?.startsWith('Retain'),
    UpdateReplacePolicy: UpdateReplacePolicy?.startsWith('Retain'),
    DeletionProtectionEnabled: Properties.DeletionProtectionEnabled === true,
    DeletionProtection: Properties.DeletionProtection === 'ACTIVE',
  };
  return new Set(Object.entries(protections).flatMap(([name, holds]) => (holds ? [name] : [])));
}
