import { CfnAccountPolicy } from 'aws-cdk-lib/aws-logs';
import type { Stack } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/register.ts';
import type { LogArchive } from '../contract/settings.ts';
import { blockedRequestsLog } from './names.ts';
import { productOf } from './product-app.ts';

/** Only such a destination may be in another account. A stream, a function or Firehose itself has to be in the log groups' own. */
const destination = /^arn:[a-z-]+:logs:[a-z0-9-]+:\d{12}:destination:[^:*]{1,512}$/;

/**
 * Copies every new line of every log group to another account, but not those of blocked requests. It is one policy of the account and region, and none for each
 * group, so that a later group is copied, too. CloudWatch takes one such policy for each account and region.
 * https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutAccountPolicy.html
 */
export function addLogArchive(stack: Stack, environment: Environment, { destinationArn }: LogArchive): void {
  if (!destination.test(destinationArn)) {
    throw new Error('logArchive: the destination is one of CloudWatch Logs, arn:aws:logs:…:…:destination:…');
  }
  // They hold addresses, which go after days. The archive keeps all for one term, and lets nobody delete any.
  const leftOut = Object.keys(productOf(stack).product.environments).map(blockedRequestsLog);
  new CfnAccountPolicy(stack, 'LogArchive', {
    policyName: `mobile-health-${environment}-log-archive`,
    policyType: 'SUBSCRIPTION_FILTER_POLICY',
    // Without a role: it is the destination that has one. An empty pattern is every line.
    policyDocument: JSON.stringify({ DestinationArn: destinationArn, FilterPattern: '' }),
    scope: 'ALL',
    selectionCriteria: `LogGroupName NOT IN ${JSON.stringify(leftOut)}`,
  });
}
