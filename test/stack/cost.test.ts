import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { idleOf } from '../../bin/capacity/idle.ts';
import { costOf, costTable } from '../../bin/cost.ts';
import { withPart } from '../../bin/markdown.ts';
import { environments } from '../../functions/product.ts';
import { stage } from './stage.ts';

/** What an environment costs without a request: as many of each as its templates have. */

const resourcesOf = (environment: (typeof environments)[number]) =>
  Object.values(stage(environment).templates).flatMap(({ Resources }) =>
    Object.values(Resources).map(({ Type, Properties }) => ({ type: Type, properties: Properties })),
  );

test('the guide to deploying has the cost of the templates as they are', () => {
  const page = readFileSync(new URL('../../docs/deploying.md', import.meta.url), 'utf8');
  const idle = new Map(environments.map((environment) => [environment, costOf(resourcesOf(environment))]));
  // If it has not: npm run cli -- cost --page
  expect(withPart(page, 'cost', costTable(idle))).toBe(page);
});

test('an alarm is billed by its metrics, and a metric by the hours in which it is written', () => {
  const metric = (MetricName: string, application: string) => ({
    MetricName,
    Dimensions: [{ Name: 'application', Value: application }],
  });
  const resources = [
    { type: 'AWS::CloudWatch::Alarm', properties: metric('hourly', 'a') },
    { type: 'AWS::CloudWatch::Alarm', properties: metric('hourly', 'b') },
    { type: 'AWS::CloudWatch::Alarm', properties: { ...metric('hourly', 'b'), Threshold: 2 } },
    { type: 'AWS::CloudWatch::Alarm', properties: metric('daily', 'a') },
    {
      type: 'AWS::CloudWatch::Alarm',
      properties: {
        Metrics: [{ MetricStat: { Metric: metric('x', 'a') } }, { MetricStat: { Metric: metric('y', 'a') } }, {}],
      },
    },
    { type: 'AWS::Events::Rule', properties: { ScheduleExpression: 'rate(1 hour)' } },
    { type: 'AWS::Events::Rule', properties: { EventPattern: {} } },
    { type: 'AWS::Lambda::EventSourceMapping', properties: { EventSourceArn: { 'Fn::GetAtt': ['Queue', 'Arn'] } } },
    { type: 'AWS::Lambda::EventSourceMapping', properties: { EventSourceArn: { 'Fn::GetAtt': ['T', 'StreamArn'] } } },
  ];
  const lines = idleOf(
    resources,
    new Map([
      ['hourly', 3600],
      ['daily', 86_400],
    ]),
  );
  const counts = Object.fromEntries(lines.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
  expect(counts).toEqual({
    'metrics that alarms watch': 6,
    'metrics that schedules write': expect.closeTo(2 + 1 / 24, 10),
    'runs by the clock': 730,
    'calls to idle queues': 657_000,
  });
});
