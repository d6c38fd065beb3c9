import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import { RateLimited } from '../contract/common-errors.ts';
import { errorBody, errorHeaders } from '../contract/errors.ts';
import type { Settings } from '../contract/settings.ts';
import type { Watch } from './alarm.ts';
import { addBlockedAddressAlarm } from './alarms.ts';
import { answerHeaders } from './cors.ts';
import { blockedRequestsLog } from './names.ts';
import { arn } from './policy.ts';
import { removalOnceMade } from './removal.ts';
import { addressLimit } from './settings.ts';

/**
 * Every header (without keys it is all of them), cookie and argument. WAF would otherwise log the whole request. A logging
 * configuration's `redactedFields` apply only to fields that a rule matches, and our rules match none.
 * https://docs.aws.amazon.com/waf/latest/APIReference/API_FieldToProtect.html
 */
const notLogged = ['SINGLE_HEADER', 'SINGLE_COOKIE', 'QUERY_STRING', 'SINGLE_QUERY_ARGUMENT', 'BODY'].map(
  (fieldType) => ({ field: { fieldType }, action: 'SUBSTITUTION' }),
);

const rule = 'RequestsPerAddress';

/** The environment's one web ACL: a number of requests for each connection address, over all APIs (decision 3). */
export function addRateLimit(stack: Stack, watch: Watch, keyArn: string, settings: Settings): CfnWebACL {
  const name = `mobile-health-${watch.environment}`;
  addBlockedAddressAlarm(stack, watch, { webAcl: name, rule });
  return addWebAcl(stack, { name, logGroupName: blockedRequestsLog(watch.environment), keyArn, settings });
}

export type WebAclProps = {
  readonly name: string;
  readonly logGroupName: string;
  /** Encrypts the log. Absent: CloudWatch's own key. */
  readonly keyArn?: string;
  readonly settings: Settings;
};

export function addWebAcl(stack: Stack, { name, logGroupName, keyArn, settings }: WebAclProps): CfnWebACL {
  // A sample of requests holds addresses and bearer tokens.
  const visibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  });
  const body = 'RateLimited';
  const webAcl = new CfnWebACL(stack, 'WebAcl', {
    name,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    // Values of the metrics' dimensions `WebACL` and `Rule`: an account may hold several environments.
    visibilityConfig: visibility(name),
    dataProtectionConfig: { dataProtections: notLogged },
    customResponseBodies: {
      [body]: { contentType: 'APPLICATION_JSON', content: JSON.stringify(errorBody(RateLimited)) },
    },
    rules: [
      {
        name: rule,
        priority: 0,
        statement: {
          rateBasedStatement: {
            limit: addressLimit.requests,
            evaluationWindowSec: addressLimit.windowSeconds,
            // The address of the connection. FORWARDED_IP would trust a header.
            aggregateKeyType: 'IP',
          },
        },
        action: {
          block: {
            customResponse: {
              responseCode: RateLimited.status,
              customResponseBodyKey: body,
              // WAF itself sets the content type, from the body's type.
              responseHeaders: Object.entries({ ...answerHeaders, ...errorHeaders(RateLimited) }).map(
                ([name, value]) => ({ name, value }),
              ),
            },
          },
        },
        visibilityConfig: visibility(rule),
      },
    ],
  });
  logBlocked(stack, webAcl, logGroupName, keyArn, settings);
  return webAcl;
}

/**
 * The log of blocked addresses, to tell a clinic from an attack. Requests that passed are not logged. An address is
 * personal data: it is kept for days, without the requested path or the caller.
 * https://docs.aws.amazon.com/waf/latest/developerguide/logging-management.html
 */
function logBlocked(
  stack: Stack,
  webAcl: CfnWebACL,
  logGroupName: string,
  kmsKeyId: string | undefined,
  { addressRetentionDays: retentionInDays, keepsData }: Settings,
): void {
  const logs = new CfnLogGroup(stack, 'BlockedRequests', {
    logGroupName,
    ...(kmsKeyId && { kmsKeyId }),
    retentionInDays,
  });
  logs.applyRemovalPolicy(removalOnceMade(keepsData));
  new CfnLoggingConfiguration(stack, 'BlockedRequestsLogging', {
    resourceArn: webAcl.attrArn,
    // Without the `:*` of the group's own `Arn`.
    logDestinationConfigs: [arn('logs', `log-group:${logs.ref}`)],
    // The path holds ids. The web ACL itself keeps the rest of the request out.
    redactedFields: [{ uriPath: {} }],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
    },
  });
}

/** `stageName` is a reference to the stage, so the association waits for the stage. */
export function protect(stack: Stack, webAcl: Pick<CfnWebACL, 'attrArn'>, apiId: string, stageName: string): void {
  new CfnWebACLAssociation(stack, 'WebAclAssociation', {
    webAclArn: webAcl.attrArn,
    resourceArn: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}::/restapis/${apiId}/stages/${stageName}`,
  });
}
