import { CfnQueue, CfnQueuePolicy } from 'aws-cdk-lib/aws-sqs';
import type { Stack } from 'aws-cdk-lib/core';
import { type Queue, type QueueName, queues } from '../contract/queues.ts';
import type { Watch } from './alarm.ts';
import { addQueueAlarms } from './alarms.ts';
import { policy } from './policy.ts';
import { removal } from './removal.ts';
import { type Settings, sizes } from './settings.ts';

/** Each with its dead-letter queue. */
export type Queues = ReadonlyMap<QueueName, { readonly queue: CfnQueue; readonly dead: CfnQueue }>;

const day = 86_400;

/** The environment's queues, as `lib/contract/queues.ts` declares them, each with its dead-letter queue. */
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
  const add = (name: string, declared: Queue) => {
    // A message's age counts from its first sending, also in the dead-letter queue: that has to keep it longer.
    const dead = make(`${name}DeadLetters`, { messageRetentionPeriod: 14 * day });
    const queue = make(name, {
      messageRetentionPeriod: 4 * day,
      // https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html: at least six times the time-out.
      visibilityTimeout: 6 * sizes.consumer.timeoutSeconds,
      redrivePolicy: { deadLetterTargetArn: dead.attrArn, maxReceiveCount: declared.maxReceives },
    });
    addQueueAlarms(stack, watch, { id: name, ...declared, queue, dead });
    return { queue, dead };
  };
  return new Map(Object.entries(queues).map(([name, declared]) => [name as QueueName, add(name, declared)]));
}
