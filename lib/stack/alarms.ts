import type { CfnEventSourceMapping, CfnFunction } from 'aws-cdk-lib/aws-lambda';
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

/** Without the trigger Cognito issues no token. */
export function addTokenTriggerAlarms(stack: Stack, watch: Watch, made: CfnFunction): void {
  const impact = 'Nobody can sign in or renew a session: these requests get 503';
  const ofFunction = { namespace: 'AWS/Lambda', dimensions: [{ name: 'FunctionName', value: made.ref }] };
  addAlarm(stack, 'TokenTriggerErrors', watch, {
    ...perPeriod,
    ...ofFunction,
    impact: `${impact}. The function that Cognito calls before it signs a token fails.`,
    metricName: 'Errors',
    threshold: 1,
  });
  addAlarm(stack, 'TokenTriggerThrottled', watch, {
    ...perPeriod,
    ...ofFunction,
    impact: `${impact}. Lambda throttles the function that Cognito calls before it signs a token.`,
    metricName: 'Throttles',
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
 * Alarms of one consumer. A stream: the age of the records being read, and those that were given up. A schedule: runs that fail
 * or do not happen. A failure elsewhere has an alarm already: a stream or a queue that is late or gives up, or the 5xx of the
 * route that waits for a procedure.
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
  if (consumer.schedule || consumer.topic) {
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
    if (consumer.alarm) addFoundAlarm(stack, watch, { id, consumer }, consumer.alarm);
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
  // It gives up only what is nearly a day old, and was delayed for all that time.
  if (consumer.retries === untilTooOld) return;
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
function addNotRunAlarm(stack: Stack, watch: Watch, { id, consumer }: WatchedSchedule, made: CfnFunction): void {
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

/** On while runs count anything. A run may be a little late, so the alarm looks back over two intervals; another one rings when runs do not happen. */
function addFoundAlarm(stack: Stack, watch: Watch, { id, consumer }: WatchedSchedule, alarm: ScheduledAlarm): void {
  addAlarm(stack, `${id}Found`, watch, {
    ...perPeriod,
    statistic: 'Maximum',
    period: intervalOf(consumer),
    evaluationPeriods: 2,
    datapointsToAlarm: 1,
    impact: alarm.impact,
    namespace: metricNamespace,
    metricName: alarm.metric,
    dimensions: [{ name: 'application', value: watch.application ?? '' }],
    threshold: 1,
  });
}

type WatchedSchedule = { readonly id: string; readonly consumer: ScheduledConsumer };
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
