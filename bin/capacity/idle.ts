import { secondsOf } from '../../lib/contract/consumer.ts';
import { prices } from './prices.ts';

/** What an environment costs in a month without a request, counted from the resources of its templates. */

export type Resource = { readonly type: string; readonly properties: Readonly<Record<string, unknown>> };

export type Line = {
  readonly name: string;
  readonly count: number;
  readonly usd: number;
  /** Keys, secrets and the firewall: none of them goes for its price. */
  readonly isFloor: boolean;
};

/** The types of resources whose being there is billed, or who call something. */
export const billed = [
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Events::Rule',
  'AWS::KMS::Key',
  'AWS::Lambda::EventSourceMapping',
  'AWS::SecretsManager::Secret',
  'AWS::WAFv2::WebACL',
] as const;

const hours = 730;
/** Lambda asks an idle queue by five calls at a time, each of which waits 20 seconds. https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const pollsAMonth = 5 * 3 * 60 * hours;
/** An assumption: nothing was measured on Lambda. */
const runGigabyteSeconds = 0.5;

/**
 * @param resources of all stacks
 * @param scheduled the seconds between two runs of the function that writes a metric, by the metric's name
 */
export function idleOf(resources: readonly Resource[], scheduled: ReadonlyMap<string, number>): Line[] {
  const of = (type: (typeof billed)[number]) =>
    resources.filter((each) => each.type === type).map(({ properties }) => properties);
  const alarms = of('AWS::CloudWatch::Alarm').flatMap(metricsOf);
  const schedules = of('AWS::Events::Rule').flatMap(({ ScheduleExpression: schedule }) => schedule ?? []);
  const runs = schedules.reduce<number>((sum, schedule) => sum + (hours * 3600) / secondsOf(String(schedule)), 0);
  const queues = of('AWS::Lambda::EventSourceMapping').filter(
    (source) => !/stream/i.test(JSON.stringify(source.EventSourceArn)),
  );
  // A metric is billed in the hours in which it is written.
  const written = new Map(alarms.map((metric) => [JSON.stringify(metric), scheduled.get(metric.MetricName)]));
  const metricHours = [...written.values()].reduce<number>(
    (sum, every = Number.POSITIVE_INFINITY) => sum + Math.min(1, 3600 / every),
    0,
  );
  const line = (name: string, count: number, price: number, isFloor = false) => ({
    name,
    count,
    usd: count * price,
    isFloor,
  });
  return [
    line('KMS keys', of('AWS::KMS::Key').length, prices.key, true),
    line('firewalls', of('AWS::WAFv2::WebACL').length, prices.firewall, true),
    line(
      'rules of firewalls',
      of('AWS::WAFv2::WebACL').flatMap(({ Rules }) => Rules).length,
      prices.firewallRule,
      true,
    ),
    line('secrets', of('AWS::SecretsManager::Secret').length, prices.secret, true),
    line('metrics that alarms watch', alarms.length, prices.alarmMetric),
    line('metrics that schedules write', metricHours, prices.customMetric),
    line('dashboards', of('AWS::CloudWatch::Dashboard').length, prices.dashboard),
    line(
      'runs by the clock',
      Math.round(runs),
      prices.invocationPerMillion / 1e6 + runGigabyteSeconds * prices.gigabyteSecond,
    ),
    line('calls to idle queues', queues.length * pollsAMonth, prices.queueRequestPerMillion / 1e6),
  ];
}

type Metric = { readonly MetricName: string; readonly Dimensions?: unknown };
type Alarm = Readonly<Record<string, unknown>> & {
  readonly Metrics?: readonly { readonly MetricStat?: { readonly Metric: Metric } }[];
};

/** An alarm is billed by the metrics that it watches. */
function metricsOf(alarm: Alarm): Metric[] {
  if (!alarm.Metrics) return [{ MetricName: String(alarm.MetricName), Dimensions: alarm.Dimensions }];
  return alarm.Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric ?? []);
}
