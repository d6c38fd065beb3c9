import { expect, test } from 'vitest';
import { domains, operations } from '../../functions/domains.ts';
import { applications } from '../../functions/product.ts';
import type { Domain } from '../../lib/contract/declarations.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { existsIn } from '../../lib/contract/route.ts';
import { resolve } from '../../lib/local/template/intrinsics.ts';
import { reference } from '../../lib/local/template/physical.ts';
import { ofType } from '../../lib/local/template/resources.ts';
import { countedBy } from '../../lib/stack/dashboard-stack.ts';
import { deployed } from './deployed.ts';
import { failedRequest, metricsIn } from './failed-request.ts';
import { stage, watched } from './stage.ts';

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
  const named = (type: string) => ofType(deployment, type).map((resource) => reference(resource));
  const dashboards = ofType(deployment, 'AWS::CloudWatch::Dashboard').map(({ properties, stack, path }) => {
    const body = JSON.parse(String(resolve(properties.DashboardBody, stack.scope, path))) as { widgets: Widget[] };
    return { name: properties.DashboardName, ...body };
  });
  return { dashboards, widgets: dashboards.flatMap(({ widgets }) => widgets), named };
}

function searchesIn(widgets: readonly Widget[]): string[] {
  return widgets.flatMap(({ properties }) =>
    properties.metrics.flatMap(([metric]) => (metric as { expression?: string }).expression ?? []),
  );
}

test.each(watched)('%s: one dashboard, with every queue and table', (environment) => {
  const { dashboards, widgets, named } = dashboardsOf(environment);
  expect(dashboards.map(({ name }) => name)).toEqual([`mobile-health-${environment}`]);
  const metrics = widgets.flatMap(({ properties }) => properties.metrics);
  const values = (dimension: string) =>
    new Set(metrics.flatMap((metric) => (metric.includes(dimension) ? [metric[metric.indexOf(dimension) + 1]] : [])));
  expect([...values('TableName')].sort()).toEqual(named('AWS::DynamoDB::Table').sort());
  const queues = named('AWS::SQS::Queue').map((url) => url.split('/').pop());
  expect([...values('QueueName')].sort()).toEqual(queues.sort());
  const labels = metrics.map((metric) => (metric.at(-1) as { label?: string }).label);
  expect(labels).toEqual(expect.arrayContaining(['sleepcare consents', 'medinfo revocations', 'sleepcare sent']));
});

test.each(watched)('%s: a search finds each function by a part of its name', (environment) => {
  const { widgets, named } = dashboardsOf(environment);
  const searches = searchesIn(widgets).filter((each) => each.includes('AWS/Lambda'));
  expect(searches).toHaveLength(3);
  for (const search of searches) expect(search).toContain(` FunctionName=${environment}'`);
  const functions = named('AWS::Lambda::Function');
  expect(functions.length).toBeGreaterThan(40);
  // A search finds 500 at most, also functions that were deleted within two weeks.
  expect(functions.length).toBeLessThan(400);
  // The parts of a name, as CloudWatch divides it.
  expect(functions.filter((name) => !name.split(/[^A-Za-z0-9]/).includes(environment))).toEqual([]);
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

test.each(watched)('%s: a search finds what the failed request of each route counts', async (environment) => {
  const failures = applications.flatMap((application) =>
    operations
      .filter(({ route }) => existsIn(route, environment, application))
      .map((operation) => failedRequest(operation, application)),
  );
  const counted = (await Promise.all(failures)).map((line) =>
    metricsIn(line).flatMap(([namespace, name, ...dimensions]) =>
      name === 'serverErrors' ? [`{${[namespace, ...dimensions.filter((_, index) => index % 2 === 0)]}}`] : [],
    ),
  );
  expect(counted.length).toBeGreaterThan(200);
  expect([...new Set(counted.map(String))]).toEqual(['{MobileHealth,application,route}']);
  const searches = searchesIn(dashboardsOf(environment).widgets);
  expect(
    searches.filter((each) => each.includes('{MobileHealth,application,route} MetricName="serverErrors"')),
  ).toHaveLength(1);
});

// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_limits.html
test.each(watched)('%s: within the limits of a dashboard', (environment) => {
  for (const { widgets } of dashboardsOf(environment).dashboards) {
    const sizes = widgets.map(({ properties }) => properties.metrics.length);
    expect(widgets.length).toBeLessThanOrEqual(500);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(2500);
    expect(widgets.every(({ x, width }) => x + width <= 24)).toBe(true);
  }
});
