import { RemovalPolicy } from 'aws-cdk-lib/core';

/** What happens to a resource with data in it when it leaves its stack. */
export function removal(keepsData: boolean): RemovalPolicy {
  return keepsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
}
