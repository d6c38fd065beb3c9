import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { Aws, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Operation } from '../../functions/domains.ts';
import { type Application, applications, type Environment } from '../contract/deployments.ts';
import { existsIn } from '../contract/route.ts';
import { type Counter, dashboardRows } from './dashboard.ts';
import { stackProps } from './stack-props.ts';
import type { StateStack } from './state-stack.ts';
import { dashboardBody } from './widgets.ts';

export type DashboardProps = {
  readonly environment: Environment;
  readonly state: StateStack;
  readonly operations: readonly Operation[];
};

/** The environment's dashboard: what both applications share, and the requests of each. Their functions have their own. */
export class DashboardStack extends Stack {
  constructor(scope: Construct, { environment, state, operations }: DashboardProps) {
    super(scope, 'Dashboard', stackProps(environment, 'Dashboard'));
    const rows = dashboardRows({
      environment,
      applications,
      counters: applications.flatMap((application) => countersOf(environment, application, operations)),
      ...state.watched(),
    });
    new CfnDashboard(this, 'Dashboard', {
      dashboardName: `mobile-health-${environment}`,
      dashboardBody: this.toJsonString(dashboardBody(Aws.REGION, rows)),
    });
  }
}

function countersOf(environment: Environment, application: Application, operations: readonly Operation[]): Counter[] {
  return operations
    .filter(({ route }) => existsIn(route, environment, application))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .flatMap(({ route: { method, path, metrics = [] } }) =>
      metrics.map((metric) => ({ application, route: `${method} ${path}`, metric })),
    );
}
