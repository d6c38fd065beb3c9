import type { CfnEventSourceMapping, CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { CfnQueue } from 'aws-cdk-lib/aws-sqs';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import { type Consumer, intervalOf, type ScheduledConsumer, untilTooOld } from '../contract/consumer.ts';
import { metricNamespace, recordsSetAside } from '../contract/metrics.ts';
import { addAlarm, type Watch } from './alarm.ts';
import { logicalId } from './names.ts';

/** Alarms on the metrics that AWS's services write themselves. Each description says what the users feel. */

const perPeriod = {
  statistic: 'Sum',
  period: 300,
  evaluationPeriods: 1,
  comparisonOperator: 'GreaterThanOrEqualToThreshold',
  treatMissingData: 'notBreaching',
} as const;

/** A 5xx is our defect, or a dependency that is down. A response that does not fit its declaration is a 5xx, too. */
export function addServerErrorAlarm(
  stack: Stack,
  api: { readonly name: string; readonly stage: string },
  watch: Watch,
): void {
  addAlarm(stack, 'ServerErrors', watch, {
    ...perPeriod,
    impact:
      "Requests fail through no fault of the app; users see its error screen. The functions' logs name route and error.",
    namespace: 'AWS/ApiGateway',
    metricName: '5XXError',
    dimensions: [
      { name: 'ApiName', value: api.name },
      { name: 'Stage', value: api.stage },
    ],
    threshold: 1,
  });
}

/** Decision 3: all users of a clinic behind one address share that address's limit. */
export function addBlockedAddressAlarm(
  stack: Stack,
  watch: Watch,
  { webAcl, rule }: { readonly webAcl: string; readonly rule: string },
): void {
  addAlarm(stack, 'AddressBlocked', watch, {
    ...perPeriod,
    impact:
      "An IP address has reached the limit of requests. If it is a clinic's address, all its users are refused " +
      'for about a minute at a time.',
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
export function addQueueAlarms(stack: Stack, watch: Watch, watched: WatchedQueue): void {
  const { id, lossImpact, delayImpact, queue, dead } = watched;
  const ofQueue = (name: string) => [{ name: 'QueueName', value: name }];
  addAlarm(stack, `${id}GivenUp`, watch, {
    ...perPeriod,
    // The number of dead letters: the alarm stays on until somebody has dealt with all of them.
    statistic: 'Maximum',
    impact: `${lossImpact}. The dead-letter queue has the messages; the functions' logs say why.`,
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    dimensions: ofQueue(dead.attrQueueName),
    threshold: 1,
  });
  addAlarm(stack, `${id}Delayed`, watch, {
    ...perPeriod,
    statistic: 'Maximum',
    impact: `${delayImpact}: the oldest message has waited for more than five minutes.`,
    namespace: 'AWS/SQS',
    metricName: 'ApproximateAgeOfOldestMessage',
    dimensions: ofQueue(queue.attrQueueName),
    threshold: 300,
  });
}

type WatchedConsumer = { readonly id: string; readonly consumer: Consumer };

/**
 * Alarms of one consumer. A stream: the age of the records being read, and those that were given up. A schedule: runs that
 * do not happen. A function that fails as a whole: not that of a stream, which is late then, nor of a procedure, whose caller
 * answers 5xx.
 */
export function addConsumerAlarms(
  stack: Stack,
  watch: Watch,
  { id, consumer }: WatchedConsumer,
  mapping: CfnEventSourceMapping | null,
  made: CfnFunction,
): void {
  const { impact } = consumer;
  const ofFunction = { namespace: 'AWS/Lambda', dimensions: [{ name: 'FunctionName', value: made.ref }] };
  if (consumer.schedule || consumer.topic || consumer.queue) {
    addAlarm(stack, `${id}Errors`, watch, {
      ...perPeriod,
      ...ofFunction,
      impact: `${impact}. The function fails; its work is tried again.`,
      metricName: 'Errors',
      // For a scheduled run each failure counts: Lambda's two retries come minutes apart, and the next run may be a day away.
      threshold: consumer.schedule ? 1 : 3,
    });
  }
  for (const [metricName, says] of Object.entries(consumer.sounds ?? {})) {
    addAlarm(stack, logicalId(metricName), watch, {
      ...perPeriod,
      // Rings within a minute of the count.
      period: 60,
      impact: says,
      namespace: metricNamespace,
      metricName,
      dimensions: [{ name: 'application', value: watch.application ?? '' }],
      threshold: 1,
    });
  }
  if (consumer.schedule) {
    addNotRunAlarm(stack, watch, { id, consumer }, made);
    if (consumer.alarm) addFoundAlarm(stack, watch, id, consumer.alarm);
  }
  if (!consumer.stream || !mapping) return;
  addAlarm(stack, `${id}Delayed`, watch, {
    ...perPeriod,
    ...ofFunction,
    statistic: 'Maximum',
    impact: `${impact}. The stream is read more than five minutes late.`,
    metricName: 'IteratorAge',
    threshold: 300_000,
  });
  // What these give up is nearly a day old, and was delayed until then; or can be counted again. The bucket's alarm tells of both.
  if (consumer.retries === untilTooOld || consumer.rebuiltBy !== undefined) return;
  const ofMapping = { namespace: 'AWS/Lambda', dimensions: [{ name: 'EventSourceMappingUUID', value: mapping.ref }] };
  addAlarm(stack, `${id}GivenUp`, watch, {
    ...perPeriod,
    ...ofMapping,
    impact: `${impact}. Changes were given up; the bucket of the stream's failures has them, complete.`,
    metricName: 'OnFailureDestinationDeliveredEventCount',
    threshold: 1,
  });
  addAlarm(stack, `${id}Dropped`, watch, {
    ...perPeriod,
    ...ofMapping,
    impact: `${impact}. Changes were lost: they could not be stored in the bucket of the stream's failures either.`,
    metricName: 'DroppedEventCount',
    threshold: 1,
  });
}

/**
 * A rule that is disabled, or that may not call its function, causes no error anywhere. The alarm waits two intervals,
 * because runs and alarm periods start at different times. Two intervals are at most two days; CloudWatch looks back over
 * seven.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
 */
function addNotRunAlarm(
  stack: Stack,
  watch: Watch,
  { id, consumer }: { readonly id: string; readonly consumer: ScheduledConsumer },
  made: CfnFunction,
): void {
  addAlarm(stack, `${id}NotRun`, watch, {
    impact: `${consumer.impact}. The function has not been called for two of its intervals.`,
    namespace: 'AWS/Lambda',
    metricName: 'Invocations',
    dimensions: [{ name: 'FunctionName', value: made.ref }],
    statistic: 'Sum',
    period: intervalOf(consumer),
    evaluationPeriods: 2,
    comparisonOperator: 'LessThanThreshold',
    threshold: 1,
    treatMissingData: 'breaching',
  });
}

/** The count that a run wrote. Without a new count the alarm keeps its state: another alarm rings when runs do not happen. */
function addFoundAlarm(stack: Stack, watch: Watch, id: string, { metric, impact }: ScheduledAlarm): void {
  addAlarm(stack, `${id}Found`, watch, {
    ...perPeriod,
    statistic: 'Maximum',
    impact,
    namespace: metricNamespace,
    metricName: metric,
    dimensions: [{ name: 'application', value: watch.application ?? '' }],
    threshold: 1,
    treatMissingData: 'ignore',
  });
}

type ScheduledAlarm = NonNullable<ScheduledConsumer['alarm']>;

/** A consumer that retries without end cannot keep a record that it does not understand. It goes on, and only this alarm reports it. */
export function addSetAsideAlarm(stack: Stack, watch: Watch): void {
  addAlarm(stack, 'RecordsSetAside', watch, {
    ...perPeriod,
    impact:
      'A change of a row was not understood and was set aside, so what follows from it does not happen: an event, a mail, a ticket, or a flag. ' +
      "The function's log has its number.",
    namespace: metricNamespace,
    metricName: recordsSetAside,
    dimensions: [{ name: 'application', value: watch.application ?? '' }],
    threshold: 1,
  });
}

/** S3 counts a bucket's objects once a day, at no cost. What was replayed is deleted. */
export function addFailuresAlarm(stack: Stack, watch: Watch, bucket: CfnBucket): void {
  addAlarm(stack, 'StreamFailuresKept', watch, {
    ...perPeriod,
    statistic: 'Maximum',
    period: 86_400,
    impact:
      'Changes of tables were given up: what follows from them did not happen. They are in the bucket of failures for 30 days.',
    namespace: 'AWS/S3',
    metricName: 'NumberOfObjects',
    dimensions: [
      { name: 'BucketName', value: bucket.ref },
      { name: 'StorageType', value: 'AllStorageTypes' },
    ],
    threshold: 1,
  });
}
