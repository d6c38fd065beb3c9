import { CfnSubscription, CfnTopic, CfnTopicPolicy } from 'aws-cdk-lib/aws-sns';
import type { Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/register.ts';
import type { Settings } from '../contract/settings.ts';
import { byAlarmsOf, policy } from './policy.ts';

/** The topic of all of the environment's alarms, and the e-mail addresses that get them. Each address has to confirm once. */
export function addAlarmTopic(
  stack: Stack,
  environment: Environment,
  keyArn: string,
  { alarmEmails }: Settings,
): CfnTopic {
  const topic = new CfnTopic(stack, 'Alarms', {
    displayName: `Mobile health, ${environment}: alarms`,
    kmsMasterKeyId: keyArn,
  });
  new CfnTopicPolicy(stack, 'AlarmsPolicy', {
    topics: [topic.ref],
    policyDocument: policy(
      {
        // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/Notify_Users_Alarm_Changes.html
        Sid: 'AlarmsOfThisEnvironment',
        Effect: 'Allow',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Resource: topic.ref,
        Condition: byAlarmsOf(environment),
      },
      {
        Sid: 'OnlyEncryptedConnections',
        Effect: 'Deny',
        Principal: '*',
        Action: 'sns:Publish',
        Resource: topic.ref,
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      },
    ),
  });
  for (const [index, endpoint] of (alarmEmails ?? []).entries()) {
    new CfnSubscription(stack, `AlarmsByEmail${index}`, { topicArn: topic.ref, protocol: 'email', endpoint });
  }
  return topic;
}
