import { CfnAlarm, type CfnAlarmProps } from 'aws-cdk-lib/aws-cloudwatch';
import type { Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/deployments.ts';
import { runbookAnchor } from './names.ts';

/** Whose alarm it is, and whom it tells. */
export type Watch = {
  readonly environment: Environment;
  /** Absent: of what both applications share. */
  readonly application?: Application;
  /** The environment's topic of alarms. */
  readonly topicArn: string;
};

type Alarm = Omit<CfnAlarmProps, 'alarmDescription' | 'alarmActions' | 'okActions'> & {
  /** Sentences: what the users feel. */
  readonly impact: string;
};

/** An alarm as all of them are: it says what the users feel and where it is written what to do, and tells when it is over. */
export function addAlarm(stack: Stack, id: string, watch: Watch, { impact, ...props }: Alarm): CfnAlarm {
  const { environment, application, topicArn } = watch;
  const where = application ? `${application}, ${environment}` : environment;
  return new CfnAlarm(stack, `${id}Alarm`, {
    ...props,
    alarmDescription: `${where}: ${impact.replace(/\.?$/, '.')} What to do: docs/runbook.md#${runbookAnchor(id)}`,
    alarmActions: [topicArn],
    okActions: [topicArn],
  });
}
