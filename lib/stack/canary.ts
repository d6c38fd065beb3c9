import { createHash } from 'node:crypto';
import type { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { CfnApplication, CfnDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { CfnAlias, type CfnFunction, CfnVersion } from 'aws-cdk-lib/aws-lambda';
import { CfnMetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Stack } from 'aws-cdk-lib/core';
import { metricNamespace } from '../contract/metrics.ts';
import type { Settings } from '../contract/settings.ts';
import { acknowledge } from './acknowledgements.ts';
import { addAlarm, type Watch } from './alarm.ts';
import { arn, assumedBy, policy, type Statement } from './policy.ts';
import { acknowledgeWildcards } from './wildcards.ts';

/**
 * A release that gets one request in ten first. API Gateway calls the alias `live`, and CodeDeploy moves the alias: 10 %
 * for five minutes, then all, or back as soon as an alarm rings. CloudFormation waits for the result, and rolls back with
 * it.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */

const liveAlias = 'live';

export type Canaried = {
  /** The prefix of the logical ids: `RevokeConsent`. */
  readonly id: string;
  readonly made: CfnFunction;
  readonly watch: Watch;
  /** The route as in its log lines: `POST /agreements/versions/{versionId}/agree`. */
  readonly route: string;
};

/** @returns the alias, to be called instead of the function */
export function addCanary(stack: Stack, canaried: Canaried): CfnAlias {
  const { id, made } = canaried;
  const version = new CfnVersion(stack, `${id}Version${digestOf(stack, made)}`, { functionName: made.ref });
  const alarms = addReleaseAlarms(stack, canaried);
  const application = new CfnApplication(stack, `${id}Releases`, { computePlatform: 'Lambda' });
  const group = new CfnDeploymentGroup(stack, `${id}ReleaseGroup`, {
    applicationName: application.ref,
    serviceRoleArn: addReleaseRole(stack, id, made).attrArn,
    deploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
    deploymentStyle: { deploymentType: 'BLUE_GREEN', deploymentOption: 'WITH_TRAFFIC_CONTROL' },
    alarmConfiguration: {
      enabled: true,
      alarms: alarms.flatMap((alarm) => (alarm ? [{ name: alarm.ref }] : [])),
      // A release does not go on while its alarms cannot be read.
      ignorePollAlarmFailure: false,
    },
    autoRollbackConfiguration: {
      enabled: true,
      events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_STOP_ON_REQUEST'],
    },
  });
  const alias = new CfnAlias(stack, `${id}Live`, {
    name: liveAlias,
    functionName: made.ref,
    functionVersion: version.attrVersion,
  });
  alias.cfnOptions.updatePolicy = {
    codeDeployLambdaAliasUpdate: { applicationName: application.ref, deploymentGroupName: group.ref },
  };
  return alias;
}

/**
 * A version never changes, and CloudFormation publishes a new one only if the logical id changes. So the id is a hash of
 * all that a version freezes, including the code's hash.
 */
function digestOf(stack: Stack, made: CfnFunction): string {
  const { code, handler, runtime, architectures, memorySize, timeout, environment, role, tracingConfig } = made;
  const { loggingConfig, description } = made;
  const frozen = stack.resolve({
    ...{ code, handler, runtime, architectures, memorySize, timeout, environment, role, tracingConfig },
    ...{ loggingConfig, description },
  });
  return createHash('sha256').update(JSON.stringify(frozen)).digest('hex').slice(0, 12);
}

const failedMetric = 'releaseErrors';
const period = 60;

/**
 * Alarms on the alias, over both versions behind it. One error is enough: a tenth of few requests is one or two, and a
 * release that was taken back without need can be made again.
 */
function addReleaseAlarms(stack: Stack, { id, made, watch, route }: Canaried): (CfnAlarm | null)[] {
  const ofAlias = {
    namespace: 'AWS/Lambda',
    dimensions: [
      { name: 'FunctionName', value: made.ref },
      // Written out: a reference to the alias would be circular, through its deployment group.
      { name: 'Resource', value: `${made.ref}:${liveAlias}` },
    ],
  };
  // Lambda counts only crashes and time-outs: a handler's answer 500 counts as a success.
  new CfnMetricFilter(stack, `${id}ServerErrors`, {
    logGroupName: logGroupOf(made),
    filterPattern: '{ $.status >= 500 }',
    metricTransformations: [
      {
        ...{ metricNamespace, metricName: failedMetric, metricValue: '1', unit: 'Count' },
        dimensions: [
          { key: 'application', value: '$.application' },
          { key: 'route', value: '$.route' },
        ],
      },
    ],
  });
  const failed = {
    namespace: metricNamespace,
    metricName: failedMetric,
    dimensions: [
      { name: 'application', value: watch.application ?? '' },
      { name: 'route', value: route },
    ],
  };
  const crashed = { ...ofAlias, metricName: 'Errors' };
  const statistic = (name: string, metric: typeof failed | typeof crashed, stat: 'Sum' | 'Maximum') => ({
    id: name,
    returnData: false,
    metricStat: { metric, period, stat },
  });
  const tells = 'CodeDeploy rolls back a release that is under way.';
  const shared = { comparisonOperator: 'GreaterThanOrEqualToThreshold', treatMissingData: 'notBreaching' } as const;
  return [
    addAlarm(stack, `${id}ReleaseErrors`, watch, {
      ...shared,
      impact: `${route}: Requests fail through no fault of the app. ${tells}`,
      metrics: [
        statistic('crashed', crashed, 'Sum'),
        // Any function's log could take errors away again, by a negative count.
        statistic('failed', failed, 'Maximum'),
        {
          id: 'errors',
          expression: 'FILL(crashed, 0) + IF(FILL(failed, 0) > 0, 1, 0)',
          label: 'errors',
          returnData: true,
        },
      ],
      threshold: 1,
      evaluationPeriods: 1,
    }),
    addAlarm(stack, `${id}ReleaseLatency`, watch, {
      ...shared,
      ...ofAlias,
      impact: `${route}: One request in a hundred takes three seconds or more. ${tells}`,
      metricName: 'Duration',
      extendedStatistic: 'p99',
      period,
      threshold: 3000,
      // Two minutes: the first request after a cold start is slow without being wrong.
      evaluationPeriods: 2,
    }),
  ];
}

function logGroupOf({ loggingConfig }: CfnFunction): string {
  if (loggingConfig && 'logGroup' in loggingConfig && loggingConfig.logGroup) return loggingConfig.logGroup;
  throw new Error('the errors of a function are counted in the log group that it names');
}

/**
 * The part of the managed AWSCodeDeployRoleForLambdaLimited that a release without hooks and bundles needs, limited to its
 * function.
 */
function addReleaseRole(stack: Stack, id: string, made: CfnFunction): CfnRole {
  const statements: Statement[] = [
    {
      Effect: 'Allow',
      Action: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
      Resource: [made.attrArn, `${made.attrArn}:${liveAlias}`],
    },
    // CodeDeploy lists alarms by name, and IAM requires the whole region for that.
    { Effect: 'Allow', Action: 'cloudwatch:DescribeAlarms', Resource: arn('cloudwatch', 'alarm:*') },
  ];
  const role = new CfnRole(stack, `${id}ReleaseRole`, {
    assumeRolePolicyDocument: assumedBy('codedeploy.amazonaws.com'),
    policies: [{ policyName: 'release', policyDocument: policy(...statements) }],
  });
  acknowledge(role, 'policyOfOneRole');
  acknowledgeWildcards(role, statements);
  return role;
}

/** @throws an Error where a name is no operation's, or no alarm could take a release back: it would reach all callers at once */
export function checkCanaries(
  { canaries, alarmEmails }: Pick<Settings, 'canaries' | 'alarmEmails'>,
  operations: readonly { readonly id: string }[],
): void {
  if (canaries.length > 0 && alarmEmails === null)
    throw new Error('canaries of the settings: an environment without alarms takes no release back');
  const unknown = canaries.find((name) => !operations.some(({ id }) => id === name));
  if (unknown !== undefined) throw new Error(`canaries of the settings: there is no operation ${unknown}`);
}
