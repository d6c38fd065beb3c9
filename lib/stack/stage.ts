import { type CfnDeployment, CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import type { Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledgements.ts';
import type { FunctionHome } from './function.ts';
import { arn } from './policy.ts';
import { removalOnceMade } from './removal.ts';

/**
 * One line a request. Nothing that points to a person: no address, user agent or caller, and the resource's path with
 * its braces, not the one that was asked for. `error.message` stays out too, since AWS quotes the bearer token in one.
 */
const accessLogFormat = {
  requestId: '$context.extendedRequestId',
  time: '$context.requestTimeEpoch',
  method: '$context.httpMethod',
  path: '$context.resourcePath',
  status: '$context.status',
  responseType: '$context.error.responseType',
  latency: '$context.responseLatency',
  integrationLatency: '$context.integration.latency',
  integrationStatus: '$context.integration.integrationStatus',
  authorizerLatency: '$context.authorizer.latency',
  authorizerStatus: '$context.authorizer.status',
  firewall: '$context.waf.status',
  responseLength: '$context.responseLength',
} as const;

export type StageProps = {
  readonly name: string;
  readonly apiId: string;
  readonly deployment: CfnDeployment;
  readonly home: FunctionHome;
};

export function addStage(stack: Stack, { name, apiId, deployment, home }: StageProps): CfnStage {
  const { logRetentionDays, keepsData, stageThrottle } = home.settings;
  const logs = new CfnLogGroup(stack, 'AccessLogs', { retentionInDays: logRetentionDays, kmsKeyId: home.keyArn });
  logs.applyRemovalPolicy(removalOnceMade(keepsData));
  const made = new CfnStage(stack, 'Stage', {
    restApiId: apiId,
    deploymentId: deployment.ref,
    stageName: name,
    // API Gateway's own segments hold the caller's address and the whole URL, for 30 days and without our key; the
    // functions trace themselves.
    tracingEnabled: false,
    accessLogSetting: {
      // Without the `:*` of the group's own Arn, which API Gateway would drop and CloudFormation report as drift.
      destinationArn: arn('logs', `log-group:${logs.ref}`),
      format: JSON.stringify(accessLogFormat),
    },
    methodSettings: [
      {
        httpMethod: '*',
        resourcePath: '/*',
        throttlingRateLimit: stageThrottle.ratePerSecond,
        throttlingBurstLimit: stageThrottle.burst,
        // Execution logs would go to a group of API Gateway's own, without our key and retention, tokens included.
        loggingLevel: 'OFF',
        dataTraceEnabled: false,
        // Billed for each method; the API's own metrics come without.
        metricsEnabled: false,
      },
    ],
  });
  acknowledge(made, 'noExecutionLogs', 'tracedByItsFunctions', 'nothingToCache', 'noBackendToProve');
  return made;
}
