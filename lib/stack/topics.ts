import { CfnTopic, CfnTopicPolicy } from 'aws-cdk-lib/aws-sns';
import { Aws, CfnOutput, type Stack } from 'aws-cdk-lib/core';
import type { Topic } from '../contract/topics.ts';
import { policy, type Statement } from './policy.ts';
import { productOf } from './product-app.ts';

/** By name. */
export type Topics = ReadonlyMap<string, CfnTopic>;

/** The environment's topics, as the domains declare them. A topic stores nothing, so it is not retained, even in prod. */
export function addTopics(stack: Stack, keyArn: string): Topics {
  const add = ({ name, summary, endpointEvents }: Topic) => {
    const made = new CfnTopic(stack, name, { displayName: summary, kmsMasterKeyId: keyArn });
    new CfnTopicPolicy(stack, `${name}Policy`, {
      topics: [made.ref],
      policyDocument: policy(
        {
          // SNS's own default, reduced to publishing: this policy replaces the default one.
          Sid: 'OwnAccount',
          Effect: 'Allow',
          Principal: '*',
          Action: 'sns:Publish',
          Resource: made.ref,
          Condition: { StringEquals: { 'AWS:SourceOwner': Aws.ACCOUNT_ID } },
        },
        ...(endpointEvents ? [eventsOfEndpoints(made.ref)] : []),
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
  return new Map(productOf(stack).declarations.topics.map((declared) => [declared.name, add(declared)]));
}

function eventsOfEndpoints(topicArn: string): Statement {
  return {
    Sid: 'EventsOfEndpoints',
    Effect: 'Allow',
    Principal: { Service: 'sns.amazonaws.com' },
    Action: 'sns:Publish',
    Resource: topicArn,
    Condition: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  };
}
