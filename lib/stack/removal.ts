import type { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { RemovalPolicy } from 'aws-cdk-lib/core';

/**
 * As `removal`, for a resource that is empty when its creation is rolled back, and whose name the next attempt needs. It is
 * retained only after it was made.
 */
export function removalOnceMade(keepsData: boolean): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/**
 * A log group that is kept is protected: to delete it takes a call that lifts the protection, which CloudTrail records.
 * CloudFormation cannot delete a protected group when it rolls a creation back, so it leaves it. That is harmless where
 * CloudFormation makes the name.
 */
export function keepLogs(logs: CfnLogGroup, keepsData: boolean): void {
  if (keepsData) logs.deletionProtectionEnabled = true;
  logs.applyRemovalPolicy(removal(keepsData));
}

/** What happens to a resource with data when it leaves its stack. */
export function removal(keepsData: boolean): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
