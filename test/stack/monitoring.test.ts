import { expect, test } from 'vitest';
import { environments } from '../../lib/contract/deployments.ts';
import { metricNamespace } from '../../lib/contract/metrics.ts';
import { ofType, stage } from './stage.ts';

test.each(environments)(
  '%s: each count of a route has an alarm on its share, which says what users feel',
  (environment) => {
    for (const [name, application] of [
      ['Sleepcare', 'sleepcare'],
      ['Medinfo', 'medinfo'],
    ] as const) {
      const alarms = ofType('AWS::CloudWatch::Alarm', stage(environment).templates[name]);
      expect(Object.keys(alarms).sort()).toEqual([
        'CheckAppVersionPolicyUnavailableAlarm',
        'CheckAppVersionVersionNotStatedAlarm',
      ]);
      const { Properties } = alarms.CheckAppVersionPolicyUnavailableAlarm ?? {};
      const dimensions = [
        { Name: 'application', Value: application },
        { Name: 'route', Value: 'GET /mobile/app-version/check' },
      ];
      const metric = { Namespace: metricNamespace, MetricName: 'policyUnavailable', Dimensions: dimensions };
      expect(Properties).toMatchObject({
        AlarmDescription: expect.stringMatching(new RegExp(`^${application}, ${environment}: Apps start without`)),
        ComparisonOperator: 'GreaterThanThreshold',
        Threshold: 0.01,
        EvaluationPeriods: 3,
        TreatMissingData: 'notBreaching',
        Metrics: [
          { Id: 'counted', MetricStat: { Metric: metric, Stat: 'Sum', Period: 300 }, ReturnData: false },
          { Id: 'requests', MetricStat: { Metric: metric, Stat: 'SampleCount', Period: 300 }, ReturnData: false },
          { Id: 'share', Expression: 'IF(requests >= 20, counted / requests, 0)', ReturnData: true },
        ],
      });
    }
  },
);
