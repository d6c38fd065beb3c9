import { expect, test } from 'vitest';
import { metricNamespace } from '../../lib/contract/metrics.ts';
import { ofType, stage, watched } from './stage.ts';

test.each(watched)('%s: each count of a route has an alarm on its share, which says what users feel', (environment) => {
  for (const [name, application] of [
    ['Sleepcare', 'sleepcare'],
    ['Medinfo', 'medinfo'],
  ] as const) {
    const alarms = ofType('AWS::CloudWatch::Alarm', stage(environment).templates[name]);
    const ofThese = (id: string) => /^(CheckAppVersion|ServerErrors)/.test(id);
    expect(Object.keys(alarms).filter(ofThese).sort()).toEqual([
      'CheckAppVersionPolicyStaleAlarm',
      'CheckAppVersionPolicyUnavailableAlarm',
      'CheckAppVersionVersionNotStatedAlarm',
      'ServerErrorsAlarm',
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
});

test.each(watched)('%s: an alarm on 5xx answers of each API, and one on addresses that are blocked', (environment) => {
  const { Sleepcare, Medinfo, State } = stage(environment).templates;
  for (const [template, application, name] of [
    [Sleepcare, 'sleepcare', 'de'],
    [Medinfo, 'medinfo', 'v2'],
  ] as const) {
    expect(ofType('AWS::CloudWatch::Alarm', template).ServerErrorsAlarm?.Properties).toMatchObject({
      AlarmDescription: expect.stringMatching(new RegExp(`^${application}, ${environment}: Requests fail`)),
      Namespace: 'AWS/ApiGateway',
      MetricName: '5XXError',
      Dimensions: [
        { Name: 'ApiName', Value: `mobile-health-${environment}-${application}` },
        { Name: 'Stage', Value: name },
      ],
      Threshold: 1,
    });
  }
  expect(ofType('AWS::CloudWatch::Alarm', State).AddressBlockedAlarm?.Properties).toMatchObject({
    AlarmDescription: expect.stringMatching(/clinic/),
    Namespace: 'AWS/WAFV2',
    MetricName: 'BlockedRequests',
    Dimensions: [
      { Name: 'WebACL', Value: `mobile-health-${environment}` },
      { Name: 'Rule', Value: 'RequestsPerAddress' },
      { Name: 'Region', Value: expect.anything() },
    ],
  });
  const webAcl = ofType('AWS::WAFv2::WebACL', State).WebAcl?.Properties as { VisibilityConfig: object };
  expect(webAcl.VisibilityConfig).toMatchObject({ MetricName: `mobile-health-${environment}` });
});

test.each(watched)('%s: sign-ins and forbidden requests ring at a number within a window', (environment) => {
  for (const [name, application] of [
    ['Sleepcare', 'sleepcare'],
    ['Medinfo', 'medinfo'],
  ] as const) {
    const alarms = ofType('AWS::CloudWatch::Alarm', stage(environment).templates[name]);
    const signIns = { application, route: 'POST /auth/tokens' };
    const recovery = { application, route: 'POST /auth/recovery-codes/use' };
    const first = { application, route: 'POST /auth/password/first' };
    const secured = { application, route: 'POST /auth/secure-account' };
    for (const [id, MetricName, dimensions, Threshold, Period] of [
      ['IssueTokensSignInRefusedAlarm', 'signInRefused', signIns, 100, 900],
      ['IssueTokensSignInLockedAlarm', 'signInLocked', signIns, 20, 900],
      ['IssueTokensSignInNotKeptAlarm', 'signInNotKept', signIns, 1, 300],
      ['UseRecoveryCodeRecoveryRefusedAlarm', 'recoveryRefused', recovery, 20, 900],
      ['ChooseFirstPasswordFirstPasswordRefusedAlarm', 'firstPasswordRefused', first, 20, 900],
      ['SecureAccountAccountSecuredAlarm', 'accountSecured', secured, 20, 900],
      ['RequestsForbiddenAlarm', 'forbidden', { application }, 50, 900],
      ['TokensRefusedAlarm', 'tokensRefused', { application }, 50, 900],
    ] as const) {
      expect(alarms[id]?.Properties, id).toMatchObject({
        Namespace: metricNamespace,
        MetricName,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
        Statistic: Threshold === 1 ? 'Maximum' : 'Sum',
        ComparisonOperator: 'GreaterThanOrEqualToThreshold',
        Threshold,
        Period,
        EvaluationPeriods: 1,
        TreatMissingData: 'notBreaching',
      });
    }
  }
});
