import type { Stack } from 'aws-cdk-lib/core';
import type { Operation } from '../contract/declarations.ts';
import { metricNamespace, requestsForbidden, tokensRefused } from '../contract/metrics.ts';
import { addAlarm, type Watch } from './alarm.ts';
import { logicalId } from './names.ts';

/** Alarms on the metrics that handlers count. Each description says what the users feel. */

const periodSeconds = 300;
/** With fewer requests in a period a share means nothing: one faulty client at night would raise an alarm. */
const leastRequests = 20;

/** One alarm for each declared metric of a route: its share of the requests over a quarter of an hour, or its number in a window. */
export function addAlarms(stack: Stack, operations: readonly Operation[], watch: Watch): void {
  for (const { id, route } of operations) {
    const dimensions = { application: watch.application ?? '', route: `${route.method} ${route.path}` };
    for (const [metricName, count] of Object.entries(route.counts ?? {})) {
      const { impact } = count;
      if (count.alarmAt !== undefined) {
        const { alarmAt, withinSeconds } = count;
        addSumAlarm(stack, logicalId(id, metricName), watch, {
          impact,
          metricName,
          dimensions,
          alarmAt,
          withinSeconds,
        });
        continue;
      }
      const statistic = (name: string, stat: 'Sum' | 'SampleCount') => ({
        id: name,
        returnData: false,
        metricStat: {
          metric: {
            namespace: metricNamespace,
            metricName,
            dimensions: Object.entries(dimensions).map(([key, value]) => ({ name: key, value })),
          },
          period: periodSeconds,
          stat,
        },
      });
      addAlarm(stack, logicalId(id, metricName), watch, {
        impact,
        metrics: [
          // Each request writes 0 or 1.
          statistic('counted', 'Sum'),
          statistic('requests', 'SampleCount'),
          {
            id: 'share',
            label: `share of ${metricName}`,
            expression: `IF(requests >= ${leastRequests}, counted / requests, 0)`,
            returnData: true,
          },
        ],
        comparisonOperator: 'GreaterThanThreshold',
        threshold: count.alarmAbove,
        evaluationPeriods: 3,
        datapointsToAlarm: 3,
        treatMissingData: 'notBreaching',
      });
    }
  }
}

type WatchedSum = {
  readonly impact: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly alarmAt: number;
  readonly withinSeconds: number;
};

/** Rings at so many counts within one window, and not at a share: an attack is one however many others use the service. */
function addSumAlarm(stack: Stack, id: string, watch: Watch, watched: WatchedSum): void {
  const { impact, metricName, dimensions, alarmAt, withinSeconds } = watched;
  addAlarm(stack, id, watch, {
    impact,
    namespace: metricNamespace,
    metricName,
    dimensions: Object.entries(dimensions).map(([name, value]) => ({ name, value })),
    statistic: 'Sum',
    period: withinSeconds,
    evaluationPeriods: 1,
    comparisonOperator: 'GreaterThanOrEqualToThreshold',
    threshold: alarmAt,
    treatMissingData: 'notBreaching',
  });
}

/** An app offers only what its users may do, so a person is refused a few times at most: after a role was taken, or by an old link. */
export function addForbiddenAlarm(stack: Stack, watch: Watch): void {
  addSumAlarm(stack, 'RequestsForbidden', watch, {
    impact:
      'Fifty requests within a quarter of an hour asked for what their callers may not do. Somebody may be trying out ' +
      'what a stolen token opens, or an app offers what its users are refused.',
    metricName: requestsForbidden,
    dimensions: { application: watch.application ?? '' },
    alarmAt: 50,
    withinSeconds: 900,
  });
}

/** Our apps send only what Cognito gave them. An expired token is no sign of anything, and does not count. */
export function addTokensRefusedAlarm(stack: Stack, watch: Watch): void {
  addSumAlarm(stack, 'TokensRefused', watch, {
    impact:
      'Fifty requests within a quarter of an hour had a token that is forged, altered, or of another pool or client. ' +
      'Somebody may be trying to get in, or an app is set up for another environment and its users are signed out.',
    metricName: tokensRefused,
    dimensions: { application: watch.application ?? '' },
    alarmAt: 50,
    withinSeconds: 900,
  });
}
