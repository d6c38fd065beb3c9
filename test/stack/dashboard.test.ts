import { expect, test } from 'vitest';
import { domains, operations } from '../../functions/domains.ts';
import { applications, environments } from '../../functions/product.ts';
import type { Domain } from '../../lib/contract/declarations.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { existsIn } from '../../lib/contract/route.ts';
import { resolve } from '../../lib/local/template/intrinsics.ts';
import { reference } from '../../lib/local/template/physical.ts';
import { ofType } from '../../lib/local/template/resources.ts';
import { countedBy } from '../../lib/stack/dashboard-stack.ts';
import { deployed } from './deployed.ts';
import { failedRequest, metricsIn } from './failed-request.ts';
import { stage } from './stage.ts';

type Widget = {
  type: string;
  x: number;
  y: number;
  width: number;
  height: number;
  properties: { metrics: unknown[][] };
};

type Dashboards = ReturnType<typeof resolved>;
const known = new Map<Environment, Dashboards>();

/** The dashboards as they would be deployed: with the names to which their references come. */
function dashboardsOf(environment: Environment): Dashboards {
  const found = known.get(environment) ?? resolved(environment);
  known.set(environment, found);
  return found;
}

function resolved(environment: Environment) {
  const deployment = deployed(stage(environment));
  const descriptions = new Map(
    ofType(deployment, 'AWS::Lambda::Function').map((made) => [reference(made), String(made.properties.Description)]),
  );
  const named = (type: string) => ofType(deployment, type).map((resource) => reference(resource));
  const dashboards = ofType(deployment, 'AWS::CloudWatch::Dashboard').map(({ properties, stack, path }) => {
    const body = JSON.parse(String(resolve(properties.DashboardBody, stack.scope, path))) as { widgets: Widget[] };
    return { name: properties.DashboardName, ...body };
  });
  return { dashboards, widgets: dashboards.flatMap(({ widgets }) => widgets), named, descriptions };
}

test.each(environments)(
  '%s: its dashboard and one of each application’s functions, with every queue and table',
  (environment) => {
    const { dashboards, widgets, named } = dashboardsOf(environment);
    const names = [
      `mobile-health-${environment}`,
      ...applications.map((each) => `mobile-health-${environment}-${each}`),
    ];
    expect(dashboards.map(({ name }) => name).sort()).toEqual(names.sort());
    const metrics = widgets.flatMap(({ properties }) => properties.metrics);
    const values = (dimension: string) =>
      new Set(metrics.flatMap((metric) => (metric.includes(dimension) ? [metric[metric.indexOf(dimension) + 1]] : [])));
    const functions = named('AWS::Lambda::Function');
    expect(functions.length).toBeGreaterThan(40);
    expect([...values('FunctionName')].sort()).toEqual([...new Set(functions)].sort());
    expect([...values('TableName')].sort()).toEqual(named('AWS::DynamoDB::Table').sort());
    const queues = named('AWS::SQS::Queue').map((url) => url.split('/').pop());
    expect([...values('QueueName')].sort()).toEqual(queues.sort());
  },
);

test.each(environments)('%s: each route has its calls, errors and three percentiles', (environment) => {
  const { widgets } = dashboardsOf(environment);
  const labels = widgets
    .flatMap(({ properties }) => properties.metrics)
    .map((metric) => (metric.at(-1) as { label?: string }).label);
  for (const route of ['POST /agreements/versions/{versionId}/agree', 'GET /users/me']) {
    expect(labels).toEqual(
      expect.arrayContaining([route, `${route} errors`, `${route} p50`, `${route} p95`, `${route} p99`]),
    );
  }
  expect(labels).toEqual(expect.arrayContaining(['sleepcare consents', 'medinfo revocations', 'sleepcare sent']));
});

test.each(environments)('%s: each metric of a function is called what the function does', (environment) => {
  const { widgets, descriptions } = dashboardsOf(environment);
  const metrics = widgets.flatMap(({ properties }) => properties.metrics).filter((one) => one[2] === 'FunctionName');
  const wrong = metrics.filter((metric) => {
    const description = descriptions.get(String(metric[3])) ?? 'no function';
    return !(metric.at(-1) as { label: string }).label.startsWith(description);
  });
  expect(metrics.length).toBeGreaterThan(1000);
  expect(wrong).toEqual([]);
});

test('a domain whose routes count says what its widget is called', () => {
  expect(countedBy(domains, operations, applications, 'prod').map(({ title }) => title)).toEqual([
    'Consents and revocations',
    'Keys of receipts',
    'Consent ledger',
    'Mails',
    'Erasures',
    'Audit events',
    'Access log',
    'Pushes',
    'Flags and reminders of questionnaires',
    'Tickets of the support',
    'Messages to groups',
  ]);
  const { metrics: _metrics, ...untitled } = domains.consents ?? {};
  expect(() => countedBy({ ...domains, consents: untitled as Domain }, operations, applications, 'prod')).toThrow(
    'functions/consents',
  );
});

test.each(environments)('%s: beside the errors of each route, what its failed request counts', async (environment) => {
  const failures = applications.flatMap((application) =>
    operations
      .filter(({ route }) => existsIn(route, environment, application))
      .map((operation) => failedRequest(operation, application)),
  );
  const counted = (await Promise.all(failures)).map((line) => {
    const [serverErrors] = metricsIn(line).filter(([, name]) => name === 'serverErrors');
    return [line.route, ...(serverErrors ?? ['not counted'])].join();
  });
  const { widgets } = dashboardsOf(environment);
  const plotted = widgets.flatMap(({ properties: { metrics } }) =>
    metrics.flatMap((metric, index) => {
      if (metric[1] !== 'serverErrors') return [];
      const errors = metrics[index - 1]?.at(-1) as { label: string } | undefined;
      return [[errors?.label.replace(/ errors$/, ''), ...metric.slice(0, -1)].join()];
    }),
  );
  expect(plotted.sort()).toEqual(counted.sort());
});

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
test.each(environments)('%s: within the limits of a dashboard', (environment) => {
  for (const { widgets } of dashboardsOf(environment).dashboards) {
    const sizes = widgets.map(({ properties }) => properties.metrics.length);
    expect(widgets.length).toBeLessThanOrEqual(500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(2500);
    expect(widgets.every(({ x, width }) => x + width <= 24)).toBe(true);
  }
});
