// The library's own index loads every service, which costs a start 300 ms.
import { App } from 'aws-cdk-lib/core';
import recommendedFlags from 'aws-cdk-lib/recommended-feature-flags.json' with { type: 'json' };
import { operations as declared, type Operation } from '../../functions/domains.ts';
import { applications, type Environment } from '../contract/deployments.ts';
import { AccountStack } from './account-stack.ts';
import { ApiStack } from './api-stack.ts';
import { checkCanaries } from './canary.ts';
import { DashboardStack } from './dashboard-stack.ts';
import { settings } from './settings.ts';
import { StateStack } from './state-stack.ts';

export type AppOptions = {
  readonly environment: Environment;
  /** What `bundle` wrote. */
  readonly functionsDir: string;
  /** Where the templates go; absent: where the CDK CLI says, else a temporary folder. */
  readonly outdir?: string;
  readonly operations?: readonly Operation[];
  /** Checks the templates against CloudFormation's own schemas, which takes seconds; the templates are the same. */
  readonly validates?: boolean;
};

/**
 * Everything that decides over a template is set here, after what the CLI passes: an app that is synthesized in process
 * never sees cdk.json, and what is tested must be what is deployed. The flags are those that the pinned library
 * recommends to a new project (an error for what its validation finds, stack tags outside the templates, …).
 */
const context = {
  ...recommendedFlags,
  // The local stage and `sam local invoke` find a function's code by it.
  'aws:cdk:enable-asset-metadata': true,
  'aws:cdk:enable-path-metadata': false,
  // CloudFormation takes a megabyte, and two fifths of a template would be spaces: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
  '@aws-cdk/core:suppressTemplateIndentation': true,
};

/** All stacks of an environment. Needs no credentials, network or Docker. */
export function buildApp(options: AppOptions): App {
  const { environment, functionsDir, outdir, operations = declared, validates = false } = options;
  checkCanaries(settings[environment].canaries, declared);
  const app = new App({
    ...(outdir !== undefined && { outdir }),
    postCliContext: context,
    builtinCloudFormationValidation: validates,
    analyticsReporting: false,
    treeMetadata: false,
    stackTraces: false,
  });
  const account = new AccountStack(app);
  const state = new StateStack(app, environment);
  for (const application of applications) {
    const api = new ApiStack(app, { environment, application, state, functionsDir, operations });
    api.addStackDependency(account, 'a stage with access logs needs the log role');
    api.addStackDependency(state, 'the functions need its tables');
  }
  const dashboard = new DashboardStack(app, { environment, state, operations });
  dashboard.addStackDependency(state, 'it shows its tables');
  return app;
}
