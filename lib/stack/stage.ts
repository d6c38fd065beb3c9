import { type CfnDeployment, CfnStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import type { Stack } from 'aws-cdk-lib/core';
import { acknowledge } from './acknowledgements.ts';
import type { FunctionHome } from './function.ts';
import { arn } from './policy.ts';
import { keepLogs } from './removal.ts';

/**
 * One line for each request, without anything that points to a person: no address, user agent or caller, and the resource's
 * path with its braces instead of the requested path. `error.message` is left out as well, because AWS quotes the bearer
 * token in one message.
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
  keepLogs(logs, keepsData);
  const made = new CfnStage(stack, 'Stage', {
    restApiId: apiId,
    deploymentId: deployment.ref,
    stageName: name,
    // API Gateway's own segments hold the caller's address and the whole URL, for 30 days and without our key. The
    // functions write their own traces.
    tracingEnabled: false,
    accessLogSetting: {
      // Without the `:*` of the group's `Arn`: API Gateway would drop it, and CloudFormation would report drift.
      destinationArn: arn('logs', `log-group:${logs.ref}`),
      format: JSON.stringify(accessLogFormat),
    },
    methodSettings: [
      {
        httpMethod: '*',
        resourcePath: '/*',
        throttlingRateLimit: stageThrottle.ratePerSecond,
        throttlingBurstLimit: stageThrottle.burst,
        // Execution logs would go to API Gateway's own log group, tokens included, without our key and retention.
        loggingLevel: 'OFF',
        dataTraceEnabled: false,
        // AWS bills these metrics for each method. The metrics of the whole API need no setting.
        metricsEnabled: false,
      },
    ],
  });
  acknowledge(made, 'noExecutionLogs', 'tracedByItsFunctions', 'nothingToCache', 'noBackendToProve');
  return made;
}
