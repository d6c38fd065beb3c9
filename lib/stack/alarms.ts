import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { CfnEventSourceMapping, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/deployments.ts';

/** Alarms on what AWS's services count of themselves. Each says in its description what the users feel. */

const perPeriod = {
  statistic: 'Sum',
  period: 300,
  evaluationPeriods: 1,
  comparisonOperator: 'GreaterThanOrEqualToThreshold',
  treatMissingData: 'notBreaching',
} as const;

/** A 5xx is our defect or a part that is down; a response that does not fit its declaration is one as well. */
export function addServerErrorAlarm(
  stack: Stack,
  api: { readonly name: string; readonly stage: string },
  { environment, application }: { readonly environment: Environment; readonly application: Application },
): void {
  new CfnAlarm(stack, 'ServerErrorsAlarm', {
    ...perPeriod,
    alarmDescription: `${application}, ${environment}: Requests fail through no fault of the app; users see its error screen. The functions' logs name route and error.`,
    namespace: 'AWS/ApiGateway',
    metricName: '5XXError',
    dimensions: [
      { name: 'ApiName', value: api.name },
      { name: 'Stage', value: api.stage },
    ],
    threshold: 1,
  });
}

/** Contract section 8: a clinic behind one address shares the limit of an address. */
export function addBlockedAddressAlarm(
  stack: Stack,
  environment: Environment,
  { webAcl, rule }: { readonly webAcl: string; readonly rule: string },
): void {
  new CfnAlarm(stack, 'AddressBlockedAlarm', {
    ...perPeriod,
    alarmDescription: `${environment}: An address has met the limit of requests; if it is a clinic's, all its users are refused for about a minute at a time.`,
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensions: [
      { name: 'WebACL', value: webAcl },
      { name: 'Rule', value: rule },
      { name: 'Region', value: Aws.REGION },
    ],
    threshold: 1,
  });
}

type WatchedQueue = {
  readonly id: string;
  readonly lossImpact: string;
  readonly delayImpact: string;
  readonly queue: CfnQueue;
  readonly dead: CfnQueue;
};

/** A message was given up, or messages wait. */
export function addQueueAlarms(stack: Stack, environment: Environment, watched: WatchedQueue): void {
  const { id, lossImpact, delayImpact, queue, dead } = watched;
  const ofQueue = (name: string) => [{ name: 'QueueName', value: name }];
  new CfnAlarm(stack, `${id}GivenUpAlarm`, {
    ...perPeriod,
    // The number of those that lie there, which is an alarm until somebody has seen to them.
    statistic: 'Maximum',
    alarmDescription: `${environment}: ${lossImpact}. The dead-letter queue has the messages; the functions' logs say why.`,
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    dimensions: ofQueue(dead.attrQueueName),
    threshold: 1,
  });
  new CfnAlarm(stack, `${id}DelayedAlarm`, {
    ...perPeriod,
    statistic: 'Maximum',
    alarmDescription: `${environment}: ${delayImpact}: the oldest message has waited for more than five minutes.`,
    namespace: 'AWS/SQS',
    metricName: 'ApproximateAgeOfOldestMessage',
    dimensions: ofQueue(queue.attrQueueName),
    threshold: 300,
  });
}

type WatchedConsumer = {
  readonly environment: Environment;
  readonly application: Application;
  readonly id: string;
  readonly impact: string;
};

/** Of a stream: what was given up, and how old what is being read is. Of all: a function that fails as a whole. */
export function addConsumerAlarms(
  stack: Stack,
  { environment, application, id, impact }: WatchedConsumer,
  mapping: CfnEventSourceMapping | null,
  made: CfnFunction,
): void {
  const where = `${application}, ${environment}: ${impact}.`;
  const ofFunction = { namespace: 'AWS/Lambda', dimensions: [{ name: 'FunctionName', value: made.ref }] };
  new CfnAlarm(stack, `${id}ErrorsAlarm`, {
    ...perPeriod,
    ...ofFunction,
    alarmDescription: `${where} The function fails; what it could not do is tried again.`,
    metricName: 'Errors',
    threshold: 3,
  });
  if (!mapping?.startingPosition) return;
  const ofMapping = { namespace: 'AWS/Lambda', dimensions: [{ name: 'EventSourceMappingUUID', value: mapping.ref }] };
  new CfnAlarm(stack, `${id}GivenUpAlarm`, {
    ...perPeriod,
    ...ofMapping,
    alarmDescription: `${where} Changes were given up; they lie whole in the bucket of the stream's failures.`,
    metricName: 'OnFailureDestinationDeliveredEventCount',
    threshold: 1,
  });
  new CfnAlarm(stack, `${id}DroppedAlarm`, {
    ...perPeriod,
    ...ofMapping,
    alarmDescription: `${where} Changes were lost: they could not even be put into the bucket of the stream's failures.`,
    metricName: 'DroppedEventCount',
    threshold: 1,
  });
  new CfnAlarm(stack, `${id}DelayedAlarm`, {
    ...perPeriod,
    ...ofFunction,
    statistic: 'Maximum',
    alarmDescription: `${where} The stream is read more than five minutes late.`,
    metricName: 'IteratorAge',
    threshold: 300_000,
  });
}
