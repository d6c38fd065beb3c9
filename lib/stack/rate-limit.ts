import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import { RateLimited } from '../contract/common-errors.ts';
import { errorBody, errorHeaders } from '../contract/errors.ts';
import type { Watch } from './alarm.ts';
import { addBlockedAddressAlarm } from './alarms.ts';
import { answerHeaders } from './cors.ts';
import { blockedRequestsLog } from './names.ts';
import { arn } from './policy.ts';
import { removalOnceMade } from './removal.ts';
import { addressLimit, type Settings } from './settings.ts';

/**
 * Every header (without keys it is all of them), cookie and argument: WAF logs a request whole. A logging configuration's
 * `redactedFields` are for what a rule matches, and ours matches none.
 * https://docs.aws.amazon.com/waf/latest/APIReference/API_FieldToProtect.html
 */
const notLogged = ['SINGLE_HEADER', 'SINGLE_COOKIE', 'QUERY_STRING', 'SINGLE_QUERY_ARGUMENT', 'BODY'].map(
  (fieldType) => ({ field: { fieldType }, action: 'SUBSTITUTION' }),
);

const rule = 'RequestsPerAddress';

/** The environment's one web ACL: so many requests for each connection address, over both APIs (decision 3). */
export function addRateLimit(stack: Stack, watch: Watch, keyArn: string, settings: Settings): CfnWebACL {
  const name = `mobile-health-${watch.environment}`;
  addBlockedAddressAlarm(stack, watch, { webAcl: name, rule });
  return addWebAcl(stack, { name, logGroupName: blockedRequestsLog(watch.environment), keyArn, settings });
}

export type WebAclProps = {
  readonly name: string;
  readonly logGroupName: string;
  /** Of the log; absent: CloudWatch's own. */
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
    // The metrics' dimensions `WebACL` and `Rule`: an account may hold several environments.
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
            // The connection's address; FORWARDED_IP would believe a header.
            aggregateKeyType: 'IP',
          },
        },
        action: {
          block: {
            customResponse: {
              responseCode: RateLimited.status,
              customResponseBodyKey: body,
              // WAF sets the content type itself, from the body's.
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
 * Which addresses were blocked, to tell a clinic from an attack; nothing of the requests that passed. An address is
 * personal data: it is kept for days, and without what was asked for and by whom.
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
    // Without the `:*` of the group's own Arn.
    logDestinationConfigs: [arn('logs', `log-group:${logs.ref}`)],
    // The path holds ids; the rest of the request is kept out by the web ACL itself.
    redactedFields: [{ uriPath: {} }],
    loggingFilter: {
      DefaultBehavior: 'DROP',
      Filters: [{ Behavior: 'KEEP', Requirement: 'MEETS_ANY', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
    },
  });
}

/** `stageName` a reference to the stage, so that the association waits for it. */
export function protect(stack: Stack, webAcl: Pick<CfnWebACL, 'attrArn'>, apiId: string, stageName: string): void {
  new CfnWebACLAssociation(stack, 'WebAclAssociation', {
    webAclArn: webAcl.attrArn,
    resourceArn: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}::/restapis/${apiId}/stages/${stageName}`,
  });
}
