import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Aws, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Operation } from '../../functions/domains.ts';
import type { Application, Environment } from '../contract/deployments.ts';
import { existsIn } from '../contract/route.ts';
import type { ApiStack } from './api-stack.ts';
import { type Counter, dashboardRows, type Functions } from './dashboard.ts';
import { stackProps } from './stack-props.ts';
import type { StateStack } from './state-stack.ts';
import { dashboardBody } from './widgets.ts';

export type DashboardProps = {
  readonly environment: Environment;
  readonly state: StateStack;
  readonly apis: ReadonlyMap<Application, ApiStack>;
  readonly operations: readonly Operation[];
};

/** The environment's one dashboard, above the stacks that it shows: it knows all of them, and none knows it. */
export class DashboardStack extends Stack {
  constructor(scope: Construct, { environment, state, apis, operations }: DashboardProps) {
    super(scope, 'Dashboard', stackProps(environment, 'Dashboard'));
    const applications = [...apis.keys()];
    const rows = dashboardRows({
      environment,
      applications,
      domains: [...apis].flatMap(([application, api]) => functionsOf(application, api)),
      routes: new Set(operations.map(({ route: { method, path } }) => `${method} ${path}`)),
      counters: applications.flatMap((application) => countersOf(environment, application, operations)),
      ...state.watched(),
    });
    new CfnDashboard(this, 'Dashboard', {
      dashboardName: `mobile-health-${environment}`,
      dashboardBody: this.toJsonString(dashboardBody(Aws.REGION, rows)),
    });
  }
}

/** A row for each nested stack, and one for what every request passes. */
function functionsOf(application: Application, api: ApiStack): Functions[] {
  const all = api.node.findAll().filter((node): node is CfnFunction => node instanceof CfnFunction);
  const byStack = Map.groupBy(all, ({ stack }) => stack);
  return [...byStack].map(([stack, functions]) => ({
    title: `${application}, ${stack === api ? 'gateway' : stack.node.id}`,
    application,
    functions,
  }));
}

function countersOf(environment: Environment, application: Application, operations: readonly Operation[]): Counter[] {
  return operations
    .filter(({ route }) => existsIn(route, environment, application))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ route: { method, path, metrics = [] } }) =>
      metrics.map((metric) => ({ application, route: `${method} ${path}`, metric })),
    );
}
