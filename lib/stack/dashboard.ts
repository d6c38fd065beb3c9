import { Aws } from 'aws-cdk-lib/core';
import { type DomainMetrics, metricNamespace, serverErrors } from '../contract/metrics.ts';
import type { Application, Environment } from '../contract/register.ts';
import { highestOf, type Metric, type Row, statistics } from './widgets.ts';

/** The dashboard of an environment. All metrics are free of charge, except the few that domains declare (`metrics`). */

type Resources<T> = readonly (readonly [name: string, resource: T])[];

/** A metric that a route's handler counts: `consents` of `POST /agreements/versions/{versionId}/agree`. */
type Counter = { readonly application: Application; readonly route: string; readonly metric: string };

/** The metrics of one domain: a widget. */
export type Counted = DomainMetrics & { readonly ofRoutes: readonly Counter[] };

export type Dashboard = {
  readonly environment: Environment;
  /** Each with its API's stage. */
  readonly applications: readonly { readonly name: Application; readonly stage: string }[];
  readonly counted: readonly Counted[];
  readonly tables: Resources<string>;
  readonly queues: Resources<string>;
  readonly deadLetters: Resources<string>;
};

const percentiles = ['p50', 'p95', 'p99'];

export function dashboardRows(dashboard: Dashboard): Row[] {
  return [
    requests(dashboard),
    functions(dashboard),
    business(dashboard),
    waiting(dashboard),
    storage(dashboard),
    cost(dashboard),
  ];
}

function requests({ environment, applications }: Dashboard): Row {
  const ofApi = (metric: string, { name, stage }: Dashboard['applications'][number]): Metric => {
    return ['AWS/ApiGateway', metric, 'ApiName', `mobile-health-${environment}-${name}`, 'Stage', stage];
  };
  const counted = (metric: string, label: string) =>
    applications.map((each): Metric => [...ofApi(metric, each), { label: `${each.name} ${label}` }]);
  const webAcl = `mobile-health-${environment}`;
  return {
    height: 6,
    widgets: [
      { title: 'Requests', metrics: counted('Count', 'requests') },
      {
        title: 'Refused and failed',
        metrics: [
          ...counted('4XXError', '4xx'),
          ...counted('5XXError', '5xx'),
          [
            ...['AWS/WAFV2', 'BlockedRequests', 'WebACL', webAcl, 'Rule', 'RequestsPerAddress', 'Region', Aws.REGION],
            { label: 'blocked addresses' },
          ],
        ],
      },
      {
        title: 'Latency at the gateway, ms',
        metrics: applications.flatMap((each) => statistics(ofApi('Latency', each), percentiles, each.name)),
      },
    ],
  };
}

/** Each name of a function has the environment's as a part. Lambda counts only crashes and time-outs: an answer 500 is a success. */
function functions({ environment }: Dashboard): Row {
  const ofFunctions = (metric: string, stat: string, by?: 'MAX') =>
    highestOf(`{AWS/Lambda,FunctionName} MetricName="${metric}" FunctionName=${environment}`, stat, by);
  return {
    height: 7,
    widgets: [
      {
        title: 'Routes that answered 5xx',
        metrics: [highestOf(`{${metricNamespace},application,route} MetricName="${serverErrors}"`, 'Sum')],
      },
      { title: 'Functions: errors', metrics: [ofFunctions('Errors', 'Sum')] },
      { title: 'Functions: throttled', metrics: [ofFunctions('Throttles', 'Sum')] },
      { title: 'Functions: duration (p95), ms', metrics: [ofFunctions('Duration', 'p95', 'MAX')] },
    ],
  };
}

function business({ applications, counted }: Dashboard): Row {
  const widgets = counted.map(({ title, ofRoutes, counters = {} }) => {
    const byRoute = ofRoutes.map(({ application, route, metric }): Metric => {
      const dimensions = ['application', application, 'route', route];
      return [metricNamespace, metric, ...dimensions, { label: `${application} ${metric}` }];
    });
    const byApplication = Object.entries(counters).flatMap(([label, metric]) =>
      applications.map(({ name }): Metric => {
        return [metricNamespace, metric, 'application', name, { label: `${name} ${label}` }];
      }),
    );
    return { title, metrics: [...byRoute, ...byApplication] };
  });
  return { height: 6, widgets };
}

function waiting({ queues, deadLetters }: Dashboard): Row {
  const ofQueue = (metric: string, [label, queueName]: Resources<string>[number]): Metric => {
    return ['AWS/SQS', metric, 'QueueName', queueName, { label }];
  };
  return {
    height: 6,
    widgets: [
      {
        title: 'Age of the oldest message, s',
        stat: 'Maximum',
        metrics: queues.map((queue) => ofQueue('ApproximateAgeOfOldestMessage', queue)),
      },
      {
        title: 'Messages given up',
        stat: 'Maximum',
        metrics: deadLetters.map((queue) => ofQueue('ApproximateNumberOfMessagesVisible', queue)),
      },
    ],
  };
}

function storage({ tables }: Dashboard): Row {
  const ofTables = (metric: string, what: string) =>
    tables.map(
      ([label, name]): Metric => [...['AWS/DynamoDB', metric, 'TableName', name], { label: `${label} ${what}` }],
    );
  return {
    height: 6,
    widgets: [
      {
        title: 'Tables: throttled',
        metrics: [...ofTables('ReadThrottleEvents', 'reads'), ...ofTables('WriteThrottleEvents', 'writes')],
      },
      {
        title: 'Tables: units read and written',
        metrics: [
          ...ofTables('ConsumedReadCapacityUnits', 'read'),
          ...ofTables('ConsumedWriteCapacityUnits', 'written'),
        ],
      },
    ],
  };
}

/** Billed usage beside the tables' units: requests, the functions' time, log lines, messages. */
function cost({ environment, applications, queues }: Dashboard): Row {
  return {
    height: 6,
    widgets: [
      {
        title: 'Paid for: requests and messages',
        metrics: [
          ...applications.map(({ name }): Metric => {
            const apiName = `mobile-health-${environment}-${name}`;
            return ['AWS/ApiGateway', 'Count', 'ApiName', apiName, { label: `${name} requests` }];
          }),
          ...queues.map(([name, queueName]): Metric => {
            return ['AWS/SQS', 'NumberOfMessagesSent', 'QueueName', queueName, { label: `${name} messages` }];
          }),
        ],
      },
      {
        title: 'Paid for, of the whole account',
        metrics: [
          ['AWS/Lambda', 'Duration', { label: 'functions, ms' }],
          ['AWS/Lambda', 'Invocations', { label: 'functions, calls' }],
          ['AWS/Logs', 'IncomingBytes', { label: 'logs, bytes', yAxis: 'right' }],
        ],
      },
    ],
  };
}
