import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import { Aws, CfnParameter, Fn, NestedStack, type Stack } from 'aws-cdk-lib/core';
import type { Application, Environment } from '../contract/register.ts';
import { type Functions, functionRows } from './dashboard.ts';
import { logicalId } from './names.ts';
import { dashboardBody } from './widgets.ts';

export type FunctionsDashboardProps = {
  readonly environment: Environment;
  readonly application: Application;
  /** The names of the routes as in log lines: `GET /users/me`. */
  readonly routes: ReadonlySet<string>;
};

/** A parameter has at most 4,096 bytes, a function's name at most 64 characters, and a stack at most 200 parameters. */
const namesInParameter = 60;

/**
 * The functions of an application, one row for each domain. A dashboard takes 2,500 metrics and a function has seven, so
 * several applications do not fit on one. It is a nested stack beside the functions' stacks: in another stack each function's
 * name would be an output of the API's stack, which may have 200. Here the names arrive as lists.
 */
export class FunctionsDashboard extends NestedStack {
  constructor(api: Stack, { environment, application, routes }: FunctionsDashboardProps) {
    super(api, 'Dashboard', { description: `The dashboard of the functions of ${application}` });
    this.nestedStackResource?.overrideLogicalId('FunctionsDashboard');
    const all = api.node.findAll().filter((node): node is CfnFunction => node instanceof CfnFunction);
    const rows = functionRows(
      [...Map.groupBy(all, ({ stack }) => stack)].map(([stack, functions]): Functions => {
        const part = stack === api ? 'gateway' : stack.node.id;
        return { title: `${application}, ${part}`, application, functions: this.named(part, functions) };
      }),
      routes,
    );
    new CfnDashboard(this, 'Dashboard', {
      dashboardName: `mobile-health-${environment}-${application}`,
      dashboardBody: this.toJsonString(dashboardBody(Aws.REGION, rows)),
    });
  }

  /** The functions' names, as this stack receives them. */
  private named(part: string, functions: readonly CfnFunction[]): Functions['functions'] {
    const lists = functions.flatMap((_, first) =>
      first % namesInParameter === 0 ? [functions.slice(first, first + namesInParameter)] : [],
    );
    return lists.flatMap((list, index) => {
      const id = `${logicalId(part)}Names${index}`;
      const { valueAsList } = new CfnParameter(this, id, { type: 'CommaDelimitedList' });
      const names = Fn.join(
        ',',
        list.map(({ ref }) => ref),
      );
      this.setParameter(id, names);
      return list.map(({ description = '' }, at) => ({ name: Fn.select(at, valueAsList), description }));
    });
  }
}
