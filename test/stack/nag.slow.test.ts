import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environments } from '../../functions/product.ts';
import { acknowledgements } from '../../lib/stack/acknowledgements.ts';
import { wildcards } from '../../lib/stack/wildcards.ts';
import { report } from './nag.ts';

const reports = environments.map((environment) => ({ environment, ...report(environment) }));

test.each(reports)('$environment: no finding of AwsSolutions or HIPAA Security stands unacknowledged', (found) => {
  expect(found.violations).toEqual([]);
  expect(found.findings.length).toBeGreaterThan(100);
});

test.each(reports)(
  '$environment: each is acknowledged on the very resource, and nothing that is no finding',
  (found) => {
    const key = ({ rule, path }: { rule: string; path: string }) => `${rule} ${path}`;
    const distinct = (all: readonly { rule: string; path: string }[]) => [...new Set(all.map(key))].sort();
    expect(distinct(found.acknowledged)).toEqual(distinct(found.findings));
  },
);

test.each(reports)('$environment: no template is larger for it', ({ directory, acknowledged }) => {
  const reason = acknowledged[0]?.reason ?? 'none';
  const templates = readdirSync(directory).filter((file) => file.endsWith('.template.json'));
  expect(templates.length).toBeGreaterThan(4);
  for (const file of templates) {
    const text = readFileSync(join(directory, file), 'utf8');
    expect(/"(AcknowledgedRules|acknowledged)"/i.test(text) || text.includes(reason), file).toBe(false);
  }
});

/** Each pair of a rule and a reason, by the reason's name in lib/stack/acknowledgements.ts and wildcards.ts. */
test('over all environments these are accepted, and no other', () => {
  const names = new Map<string, string>(
    Object.entries({ ...acknowledgements, ...wildcards }).map(([name, { reason }]) => [reason, name]),
  );
  const pairs = reports.flatMap(({ acknowledged }) =>
    // A resource has the name of its reference, which differs from bucket to bucket.
    acknowledged.map(({ rule, reason }) => `${names.get(reason)} ${rule.replace(/\[Resource::.+\]$/, '[Resource]')}`),
  );
  expect([...new Set(pairs)].sort()).toEqual([
    'alarms AwsSolutions-IAM5[Resource]',
    'backupByAws AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]',
    'endpoints AwsSolutions-IAM5[Resource]',
    'erasedEndpoints AwsSolutions-IAM5[Resource]',
    'failsToItsCaller HIPAA.Security-LambdaDLQ',
    'failsToItsSource HIPAA.Security-LambdaDLQ',
    'goneIsGone HIPAA.Security-S3BucketVersioningEnabled',
    'logDelivery HIPAA.Security-S3DefaultEncryptionKMS',
    'lostWithoutHarm HIPAA.Security-LambdaDLQ',
    'maintainedByAws AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
    'noBackendToProve HIPAA.Security-APIGWSSLEnabled',
    'noExecutionLogs AwsSolutions-APIG6',
    'noExecutionLogs HIPAA.Security-APIGWExecutionLoggingEnabled',
    'noPeopleInHere AwsSolutions-COG2',
    'noSecondFactorForPatients AwsSolutions-COG2',
    'nothingToCache HIPAA.Security-APIGWCacheEnabledAndEncrypted',
    'objects AwsSolutions-IAM5[Resource]',
    'oneRegion HIPAA.Security-S3BucketReplicationEnabled',
    'outsideVpc HIPAA.Security-LambdaInsideVPC',
    'passphrases AwsSolutions-COG1',
    'policyOfOneRole HIPAA.Security-IAMNoInlinePolicy',
    'replacedInSteps AwsSolutions-SMG4',
    'replacedInSteps HIPAA.Security-SecretsManagerRotationEnabled',
    'sharedConcurrency HIPAA.Security-LambdaConcurrency',
    'signInBehindOurApi AwsSolutions-COG8',
    'streams AwsSolutions-IAM5[Resource]',
    'thrownAway HIPAA.Security-DynamoDBInBackupPlan',
    'tracedByItsFunctions HIPAA.Security-APIGWXrayEnabled',
    'traces AwsSolutions-IAM5[Resource]',
    'validatedByItsFunction AwsSolutions-APIG2',
  ]);
  expect(names.size).toBe(Object.keys({ ...acknowledgements, ...wildcards }).length);
});
