import { CfnQueue, CfnQueuePolicy } from 'aws-cdk-lib/aws-sqs';
import type { Stack } from 'aws-cdk-lib/core';
import type { Queue } from '../contract/queues.ts';
import type { Settings } from '../contract/settings.ts';
import type { Watch } from './alarm.ts';
import { addQueueAlarms } from './alarms.ts';
import { policy } from './policy.ts';
import { productOf } from './product-app.ts';
import { removal } from './removal.ts';
import { sizes } from './settings.ts';

/** By name, each with its dead-letter queue. */
export type Queues = ReadonlyMap<string, { readonly queue: CfnQueue; readonly dead: CfnQueue }>;

const day = 86_400;

/** The environment's queues, as the domains declare them, each with its dead-letter queue. */
export function addQueues(stack: Stack, watch: Watch, keyArn: string, { keepsData }: Settings): Queues {
  const make = (id: string, more: object) => {
    const made = new CfnQueue(stack, id, { kmsMasterKeyId: keyArn, ...more });
    made.applyRemovalPolicy(removal(keepsData));
    new CfnQueuePolicy(stack, `${id}Policy`, {
      queues: [made.ref],
      policyDocument: policy({
        Sid: 'OnlyEncryptedConnections',
        Effect: 'Deny',
        Principal: '*',
        Action: 'sqs:*',
        Resource: made.attrArn,
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    });
    return made;
  };
  const add = ({ name, maxReceives, isLong, ...impacts }: Queue) => {
    // A message's age counts from its first sending, also in the dead-letter queue. So that queue has to keep messages
    // longer.
    const dead = make(`${name}DeadLetters`, { messageRetentionPeriod: 14 * day });
    const queue = make(name, {
      messageRetentionPeriod: 4 * day,
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: at least six times the time-out.
      visibilityTimeout: 6 * (isLong ? sizes.longConsumer : sizes.consumer).timeoutSeconds,
      redrivePolicy: { deadLetterTargetArn: dead.attrArn, maxReceiveCount: maxReceives },
    });
    addQueueAlarms(stack, watch, { id: name, ...impacts, queue, dead });
    return { queue, dead };
  };
  return new Map(productOf(stack).declarations.queues.map((declared) => [declared.name, add(declared)]));
}
