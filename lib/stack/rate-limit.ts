import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Aws, type Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/deployments.ts';
import { errorBody, errorHeaders, errors } from '../contract/errors.ts';
import { addBlockedAddressAlarm } from './alarms.ts';
import { answerHeaders } from './cors.ts';
import { addressLimit } from './settings.ts';

/** The environment's one web ACL: so many requests for each connection address, over both APIs (contract section 8). */
export function addRateLimit(stack: Stack, environment: Environment): CfnWebACL {
  // A sample of requests holds addresses and bearer tokens.
  const visibility = (metricName: string) => ({
    metricName,
    cloudWatchMetricsEnabled: true,
    sampledRequestsEnabled: false,
  });
  const body = 'RateLimited';
  const name = `mobile-health-${environment}`;
  const rule = 'RequestsPerAddress';
  addBlockedAddressAlarm(stack, environment, { webAcl: name, rule });
  return new CfnWebACL(stack, 'WebAcl', {
    name,
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    // The metrics' dimensions `WebACL` and `Rule`: an account may hold several environments.
    visibilityConfig: visibility(name),
    customResponseBodies: {
      [body]: { contentType: 'APPLICATION_JSON', content: JSON.stringify(errorBody('RATE_LIMITED')) },
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
              responseCode: errors.RATE_LIMITED.status,
              customResponseBodyKey: body,
              // WAF sets the content type itself, from the body's.
              responseHeaders: Object.entries({ ...answerHeaders, ...errorHeaders('RATE_LIMITED') }).map(
                ([name, value]) => ({ name, value }),
              ),
            },
          },
        },
        visibilityConfig: visibility(rule),
      },
    ],
  });
}

/** `stageName` a reference to the stage, so that the association waits for it. */
export function protect(stack: Stack, webAcl: CfnWebACL, apiId: string, stageName: string): void {
  new CfnWebACLAssociation(stack, 'WebAclAssociation', {
    webAclArn: webAcl.attrArn,
    resourceArn: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}::/restapis/${apiId}/stages/${stageName}`,
  });
}
