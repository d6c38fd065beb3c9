import { type App, Aspects, CfnOutput, type Stack } from 'aws-cdk-lib/core';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import type { ProductModule } from '../contract/declarations.ts';
import type { Application, Environment } from '../contract/register.ts';
import { AccountStack } from './account-stack.ts';
import { ApiStack } from './api-stack.ts';
import { checkCanaries } from './canary.ts';
import { DashboardStack } from './dashboard-stack.ts';
import { unprotected } from './first-deployment.ts';
import type { CodeOf } from './function.ts';
import { ProductApp, settingsOf } from './product-app.ts';
import { StateStack } from './state-stack.ts';

export type AppOptions = {
  readonly module: ProductModule;
  readonly environment: Environment;
  /** Null: templates without code, for the local stage. */
  readonly codeOf: CodeOf | null;
  /** The folder for the templates. Absent: the CDK CLI's, else a temporary one. */
  readonly outdir?: string;
  /** Validates the templates against CloudFormation's own schemas. This takes seconds, and does not change the templates. */
  readonly validates?: boolean;
  /** The names of stacks that are not there yet, where their environment keeps data. */
  readonly newStacks?: readonly string[];
};

/**
 * All context that affects a template is set here, after the values of the CLI. An app that is synthesized in process never
 * reads cdk.json, and the tests must test what is deployed. The flags are the pinned library's recommendations for a new
 * project (an error for each finding of its validation, stack tags outside the templates, …).
 */
const context = {
  ...recommendedFlags,
  // The local stage and `sam local invoke` need it to find a function's code.
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': false,
  // CloudFormation takes a megabyte, and indentation would be two fifths of a template:
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
  '@aws-cdk/core:suppressTemplateIndentation': true,
};

/** All stacks of an environment. Needs no credentials, network or Docker. */
export function buildApp({ module, environment, codeOf, outdir, validates = false, newStacks = [] }: AppOptions): App {
  const { product, declarations } = module;
  const { operations, consumers, tables } = declarations;
  const app = new ProductApp(module, {
    ...(outdir !== undefined && { outdir }),
    postCliContext: context,
    builtinCloudFormationValidation: validates,
    analyticsReporting: false,
    treeMetadata: false,
    stackTraces: false,
  });
  checkCanaries(settingsOf(app, environment), operations);
  const account = new AccountStack(app);
  const state = new StateStack(app, environment, tables);
  const { keepsData } = settingsOf(app, environment);
  const protect = (stack: Stack) => {
    const isNew = newStacks.includes(stack.stackName);
    if (keepsData) new CfnOutput(stack, 'IsProtected', { value: String(!isNew) });
    if (isNew) Aspects.of(stack).add(unprotected);
  };
  protect(state);
  for (const application of Object.keys(product.applications) as Application[]) {
    const api = new ApiStack(app, { environment, application, state, codeOf, operations, consumers });
    protect(api);
    api.addStackDependency(account, 'a stage with access logs needs the log role');
    api.addStackDependency(state, 'the functions need its tables');
  }
  if (state.watch.hasAlarms) {
    const dashboard = new DashboardStack(app, { environment, state, operations });
    if (newStacks.includes(dashboard.stackName)) Aspects.of(dashboard).add(unprotected);
    dashboard.addStackDependency(state, 'it shows its tables');
  }
  return app;
}
