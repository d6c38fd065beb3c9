import { RemovalPolicy } from 'aws-cdk-lib/core';

/**
 * As `removal`, for a resource that is empty when its creation is rolled back, and whose name the next attempt needs. It is
 * retained only after it was made.
 */
export function removalOnceMade(keepsData: boolean): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** What happens to a resource with data when it leaves its stack. */
export function removal(keepsData: boolean): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
