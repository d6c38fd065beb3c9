import { CfnRule } from 'aws-cdk-lib/aws-events';
import { CfnEventInvokeConfig, CfnEventSourceMapping, type CfnFunction, CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnSubscription } from 'aws-cdk-lib/aws-sns';
import { NestedStack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type {
  Consumer,
  QueueConsumer,
  ScheduledConsumer,
  StreamConsumer,
  TopicConsumer,
} from '../contract/consumer.ts';
import { readingOf } from '../contract/consumer.ts';
import type { ConsumerFunction } from '../contract/declarations.ts';
import { withoutMetrics } from '../contract/metrics.ts';
import type { Application, Environment } from '../contract/register.ts';
import { ofKind, tablesIn, tablesReached, usesIn } from '../contract/uses.ts';
import { addConsumerAlarms } from './alarms.ts';
import { bindingsOf } from './bindings.ts';
import { addFunction, type FunctionHome } from './function.ts';
import { readStream, receiveFrom, useOfKey, writeFailures } from './grants.ts';
import { functionName, logicalId, procedureFunctionName } from './names.ts';
import type { Statement } from './policy.ts';
import { sizes } from './settings.ts';
import type { SharedState } from './shared-state.ts';

export type ConsumerProps = {
  readonly environment: Environment;
  readonly application: Application;
  readonly state: SharedState;
  readonly home: FunctionHome;
  readonly consumers: readonly ConsumerFunction[];
};

function sizeOf({ schedule, queue, procedure }: Consumer) {
  if (schedule) return sizes.scheduled;
  if (procedure) return sizes.procedure;
  return queue?.isLong ? sizes.longConsumer : sizes.consumer;
}

function failuresOf({ stream, queue, procedure }: Consumer) {
  if (procedure) return 'failsToItsCaller';
  return stream || queue ? 'failsToItsSource' : 'lostWithoutHarm';
}

/** An application's functions that no route calls, each with its event-source mapping, subscription or rule. */
export class ConsumerStack extends NestedStack {
  private readonly props: ConsumerProps;
  /** The functions that consume a stream, by logical id. Records that were given up are replayed through them. */
  readonly ofStreams = new Map<string, CfnFunction>();

  constructor(scope: Construct, props: ConsumerProps) {
    super(scope, 'Consumers', {
      description: 'The functions that consume streams, queues and topics, or run by the clock',
    });
    this.nestedStackResource?.overrideLogicalId('ConsumerFunctions');
    this.props = props;
    for (const each of props.consumers) this.add(each);
  }

  private add({ id, consumer }: ConsumerFunction): void {
    const { environment, application, state, home } = this.props;
    const uses = usesIn(consumer.uses, environment);
    const tables = tablesIn(uses);
    const reached = consumer.schedule || consumer.procedure ? tablesReached(uses, state.tables) : tables;
    const bindings = bindingsOf(uses, reached, { ...this.props, listsTables: true });
    const made = addFunction(this, home, {
      name: functionName(id),
      ...(consumer.procedure && { functionName: procedureFunctionName(environment, application, consumer.procedure) }),
      description: consumer.summary,
      size: sizeOf(consumer),
      feedsItself: ofKind(uses, 'queue').some(({ queue }) => queue.name === consumer.queue?.name),
      environment: { ...bindings.variables, ...(consumer.schedule && !state.watch.hasAlarms && withoutMetrics) },
      failures: failuresOf(consumer),
      statements: [...bindings.statements, ...this.statementsOfSource(consumer)],
      ...(tables.some(([, accesses]) => accesses.includes('expire')) && { role: state.expiryRole }),
    });
    if (consumer.stream) this.ofStreams.set(logicalId(id), made);
    const mapping = this.connect(id, consumer, made);
    const watch = { ...state.watch, application };
    addConsumerAlarms(this, watch, { id: logicalId(id), consumer }, mapping, made);
  }

  private connect(id: string, consumer: Consumer, made: CfnFunction): CfnEventSourceMapping | null {
    if (consumer.stream) return this.mapStream(id, consumer, made);
    if (consumer.queue) return this.mapQueue(id, consumer, made);
    if (consumer.topic) this.subscribe(id, consumer, made);
    else if (consumer.schedule) this.schedule(id, consumer, made);
    else this.keepNothing(id, made);
    return null;
  }

  private statementsOfSource(consumer: Consumer): Statement[] {
    const { state } = this.props;
    const keyArn = state.key.attrArn;
    if (consumer.queue) return [receiveFrom(state.queue(consumer.queue).attrArn), useOfKey(keyArn, 'read', 'sqs')];
    // A topic, a schedule and the caller of a procedure call the function: it reads nothing.
    if (!consumer.stream) return [];
    return [
      ...readStream(state.streamArn(consumer.stream), state.table(consumer.stream).arn),
      ...writeFailures(state.failures.attrArn),
      useOfKey(keyArn, 'read', 'dynamodb'),
      useOfKey(keyArn, 'write', 's3'),
    ];
  }

  private mapStream(id: string, consumer: StreamConsumer, made: CfnFunction): CfnEventSourceMapping {
    const { state } = this.props;
    const { batchSize, windowSeconds, retries, maxAgeSeconds } = readingOf(consumer);
    return new CfnEventSourceMapping(this, `${logicalId(id)}Source`, {
      ...this.common(batchSize, made),
      eventSourceArn: state.streamArn(consumer.stream),
      // Changes from a time without a mapping are consumed, too.
      startingPosition: 'TRIM_HORIZON',
      maximumBatchingWindowInSeconds: windowSeconds,
      bisectBatchOnFunctionError: true,
      maximumRetryAttempts: retries,
      maximumRecordAgeInSeconds: maxAgeSeconds,
      destinationConfig: { onFailure: { destination: state.failures.attrArn } },
    });
  }

  private mapQueue(id: string, consumer: QueueConsumer, made: CfnFunction): CfnEventSourceMapping {
    return new CfnEventSourceMapping(this, `${logicalId(id)}Source`, {
      ...this.common(consumer.batchSize, made),
      eventSourceArn: this.props.state.queue(consumer.queue).attrArn,
      // Without it more messages would be received and put back, and that counts as an attempt.
      scalingConfig: { maximumConcurrency: consumer.concurrency },
    });
  }

  private subscribe(id: string, consumer: TopicConsumer, made: CfnFunction): void {
    const topicArn = this.props.state.topic(consumer.topic).ref;
    const permission = new CfnPermission(this, `${logicalId(id)}Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: made.attrArn,
      principal: 'sns.amazonaws.com',
      sourceArn: topicArn,
    });
    const subscription = new CfnSubscription(this, `${logicalId(id)}Source`, {
      topicArn,
      protocol: 'lambda',
      endpoint: made.attrArn,
    });
    subscription.addResourceDependency(permission);
    new CfnEventInvokeConfig(this, `${logicalId(id)}Retries`, {
      functionName: made.ref,
      qualifier: '$LATEST',
      maximumRetryAttempts: consumer.retries,
      maximumEventAgeInSeconds: consumer.maxAgeSeconds,
    });
  }

  /** Nobody asks without waiting. Whoever did would leave a code or a password in Lambda's own queue: for a minute at most. */
  private keepNothing(id: string, made: CfnFunction): void {
    new CfnEventInvokeConfig(this, `${logicalId(id)}Retries`, {
      functionName: made.ref,
      qualifier: '$LATEST',
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: 60,
    });
  }

  private schedule(id: string, { schedule, summary }: ScheduledConsumer, made: CfnFunction): void {
    const rule = new CfnRule(this, `${logicalId(id)}Schedule`, {
      description: summary,
      scheduleExpression: schedule,
      state: 'ENABLED',
      targets: [{ id: 'function', arn: made.attrArn }],
    });
    new CfnPermission(this, `${logicalId(id)}Permission`, {
      action: 'lambda:InvokeFunction',
      functionName: made.attrArn,
      principal: 'events.amazonaws.com',
      sourceArn: rule.attrArn,
    });
  }

  private common(batchSize: number, made: CfnFunction) {
    return {
      functionName: made.ref,
      batchSize,
      functionResponseTypes: ['ReportBatchItemFailures'],
      metricsConfig: { metrics: ['EventCount'] },
    };
  }
}
