import { CfnTopic, CfnTopicPolicy } from 'aws-cdk-lib/aws-sns';
import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib/core';
import { type TopicName, topics } from '../contract/topics.ts';
import { policy } from './policy.ts';

export type Topics = ReadonlyMap<TopicName, CfnTopic>;

/** The environment's topics, as `lib/contract/topics.ts` declares them. They keep nothing, so that prod keeps none either. */
export function addTopics(stack: Stack, keyArn: string): Topics {
  const add = (name: TopicName) => {
    const made = new CfnTopic(stack, name, { displayName: topics[name].summary, kmsMasterKeyId: keyArn });
    new CfnTopicPolicy(stack, `${name}Policy`, {
      topics: [made.ref],
      policyDocument: policy(
        {
          // SNS's own default, which this policy replaces, but for publishing alone.
          Sid: 'OwnAccount',
          Effect: 'Allow',
          Principal: '*',
          Action: 'sns:Publish',
          Resource: made.ref,
          Condition: { StringEquals: { 'AWS:SourceOwner': Aws.ACCOUNT_ID } },
        },
        {
          Sid: 'EventsOfEndpoints',
          Effect: 'Allow',
          Principal: { Service: 'sns.amazonaws.com' },
          Action: 'sns:Publish',
          Resource: made.ref,
          Condition: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
        },
        {
          Sid: 'OnlyEncryptedConnections',
          Effect: 'Deny',
          Principal: '*',
          Action: 'sns:Publish',
          Resource: made.ref,
          Condition: { Bool: { 'aws:SecureTransport': 'false' } },
        },
      ),
    });
    new CfnOutput(stack, `${name}TopicArn`, { value: made.ref });
    return made;
  };
  return new Map((Object.keys(topics) as TopicName[]).map((name) => [name, add(name)]));
}
