import type { Stack } from 'aws-cdk-lib/core';
import type { Operation } from '../contract/declarations.ts';
import { metricNamespace } from '../contract/metrics.ts';
import { addAlarm, type Watch } from './alarm.ts';
import { logicalId } from './names.ts';

/** Alarms on the metrics that handlers count. Each description says what the users feel. */

const periodSeconds = 300;
/** With fewer requests in a period a share means nothing: one faulty client at night would raise an alarm. */
const leastRequests = 20;

/** One alarm for each declared metric of a route: its share of the requests, over a quarter of an hour. */
export function addAlarms(stack: Stack, operations: readonly Operation[], watch: Watch): void {
  for (const { id, route } of operations) {
    for (const [metricName, { alarmAbove, impact }] of Object.entries(route.counts ?? {})) {
      const dimensions = { application: watch.application ?? '', route: `${route.method} ${route.path}` };
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
        threshold: alarmAbove,
        evaluationPeriods: 3,
        datapointsToAlarm: 3,
        treatMissingData: 'notBreaching',
      });
    }
  }
}
