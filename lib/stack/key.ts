import { CfnKey } from 'aws-cdk-lib/aws-kms';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/register.ts';
import type { Settings } from '../contract/settings.ts';
import { blockedRequestsLog } from './names.ts';
import { arn, byAlarmsOf, policy } from './policy.ts';
import { removal } from './removal.ts';

/** The environment's one customer-managed key: tables, logs and secrets. */
export function addKey(stack: Stack, environment: Environment, { keepsData }: Settings): CfnKey {
  const key = new CfnKey(stack, 'Key', {
    description: `Mobile health, ${environment}: tables, logs and secrets`,
    enableKeyRotation: true,
    pendingWindowInDays: keepsData ? 30 : 7,
    keyPolicy: policy(
      {
        // Leaves the decision to IAM. Without it nobody could administer the key.
        // https://docs.aws.amazon.com/kms/latest/developerguide/key-policy-default.html
        Sid: 'AccountDecidesByIam',
        Effect: 'Allow',
        Principal: { AWS: `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:root` },
        Action: 'kms:*',
        Resource: '*',
      },
      {
        // https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/encrypt-log-data-kms.html
        // A log group that the template does not name begins with its stack's name.
        Sid: 'LogsOfThisEnvironment',
        Effect: 'Allow',
        Principal: { Service: `logs.${Aws.REGION}.${Aws.URL_SUFFIX}` },
        Action: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
        Resource: '*',
        Condition: {
          ArnLike: {
            'kms:EncryptionContext:aws:logs:arn': [
              arn('logs', `log-group:MobileHealth-${environment}-*`),
              arn('logs', `log-group:${blockedRequestsLog(environment)}`),
            ],
          },
        },
      },
      {
        // Without it alarms would be lost silently.
        // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
        Sid: 'AlarmsOfThisEnvironment',
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
        Resource: '*',
        Condition: byAlarmsOf(environment),
      },
      {
        // SNS publishes its events about endpoints itself. If it could not, no error would reach us.
        // https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html#compatibility-with-aws-services
        Sid: 'TopicsOfThisEnvironment',
        Effect: 'Allow',
        Principal: { Service: 'sns.amazonaws.com' },
        Action: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        Resource: '*',
        Condition: {
          ArnLike: { 'kms:EncryptionContext:aws:sns:topicArn': arn('sns', `MobileHealth-${environment}-*`) },
        },
      },
    ),
  });
  key.applyRemovalPolicy(removal(keepsData));
  return key;
}
