import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Aws, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Domains, Operation } from '../contract/declarations.ts';
import type { Application, Environment } from '../contract/register.ts';
import { existsIn } from '../contract/route.ts';
import { type Counted, dashboardRows } from './dashboard.ts';
import { deploymentOf, productOf } from './product-app.ts';
import { SharedState } from './shared-state.ts';
import { stackProps } from './stack-props.ts';
import type { StateStack } from './state-stack.ts';
import { dashboardBody } from './widgets.ts';

export type DashboardProps = {
  readonly environment: Environment;
  readonly state: StateStack;
  readonly operations: readonly Operation[];
};

/** The environment's one dashboard: what to look at first. */
export class DashboardStack extends Stack {
  constructor(scope: Construct, { environment, state, operations }: DashboardProps) {
    super(scope, 'Dashboard', stackProps(scope, environment, 'Dashboard'));
    const { product, declarations } = productOf(this);
    const applications = Object.keys(product.applications) as Application[];
    const rows = dashboardRows({
      environment,
      applications: applications.map((name) => ({ name, stage: deploymentOf(this, name).stage })),
      counted: countedBy(declarations.domains, operations, applications, environment),
      ...new SharedState(this, state).watched(),
    });
    new CfnDashboard(this, 'Dashboard', {
      dashboardName: `mobile-health-${environment}`,
      dashboardBody: this.toJsonString(dashboardBody(Aws.REGION, rows)),
    });
  }
}

/**
 * A widget for each domain that declares metrics.
 *
 * @throws an Error where a route has `metrics` and its domain has no title for them: nobody would see these metrics
 */
export function countedBy(
  declared: Domains,
  operations: readonly Operation[],
  applications: readonly Application[],
  environment: Environment,
): Counted[] {
  const ofRoutes = applications.flatMap((application) => countersOf(environment, application, operations));
  const untitled = ofRoutes.find(({ domain }) => !declared[domain]?.metrics);
  if (untitled) throw new Error(`functions/${untitled.domain}: its routes have metrics, and no metrics.ts their title`);
  return Object.entries(declared).flatMap(([domain, { metrics }]) =>
    metrics ? [{ ...metrics, ofRoutes: ofRoutes.filter((counter) => counter.domain === domain) }] : [],
  );
}

function countersOf(environment: Environment, application: Application, operations: readonly Operation[]) {
  return operations
    .filter(({ route }) => existsIn(route, environment, application))
    .flatMap(({ domain, route: { method, path, metrics = [] } }) =>
      metrics.map((metric) => ({ domain, application, route: `${method} ${path}`, metric })),
    );
}
