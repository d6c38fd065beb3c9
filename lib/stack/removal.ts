import { RemovalPolicy } from 'aws-cdk-lib/core';

/**
 * The same of what has nothing in it when its creation is rolled back, and a name that the next attempt wants: it stays once
 * it was there.
 */
export function removalOnceMade(keepsData: boolean): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
}

/** What happens to a resource with data in it when it leaves its stack. */
export function removal(keepsData: boolean): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
