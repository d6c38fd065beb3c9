import { CfnAlarm, type CfnAlarmProps } from 'aws-cdk-lib/aws-cloudwatch';
import type { Stack } from 'aws-cdk-lib/core';
import { metricNamespace } from '../contract/metrics.ts';
import type { Application, Environment } from '../contract/register.ts';
import { runbookAnchor } from './names.ts';

/** The alarm's environment and application, and the topic that it notifies. */
export type Watch = {
  readonly environment: Environment;
  /** False: nobody gets alarms of this environment, so it has none. */
  readonly hasAlarms: boolean;
  /** Absent: the alarm is about resources that the applications share. */
  readonly application?: Application;
  /** The environment's topic of alarms. */
  readonly topicArn: string;
};

type Alarm = Omit<CfnAlarmProps, 'alarmDescription' | 'alarmActions' | 'okActions'> & {
  /** Sentences: what the users feel. */
  readonly impact: string;
};

/**
 * The form of every alarm: its description says what the users feel and links to the runbook, and it also notifies when it is over.
 *
 * @returns null where the environment has no alarms
 */
export function addAlarm(stack: Stack, id: string, watch: Watch, { impact, ...props }: Alarm): CfnAlarm | null {
  const { environment, hasAlarms, application, topicArn } = watch;
  if (!hasAlarms) return null;
  const where = application ? `${application}, ${environment}` : environment;
  // What rings at the first count: a function's log could keep a sum silent by -1, and the largest value by nothing.
  const isAtFirst = props.namespace === metricNamespace && props.statistic === 'Sum' && props.threshold === 1;
  return new CfnAlarm(stack, `${id}Alarm`, {
    ...props,
    ...(isAtFirst && { statistic: 'Maximum' }),
    alarmDescription: `${where}: ${impact.replace(/\.?$/, '.')} What to do: docs/runbook.md#${runbookAnchor(id)}`,
    alarmActions: [topicArn],
    okActions: [topicArn],
  });
}
