import type { StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Environment } from '../contract/register.ts';
import { settingsOf } from './product-app.ts';

/** CloudFormation copies a stack's tags to all its resources, nested stacks included. The templates stay free of tags. */
export function stackProps(
  scope: Construct,
  environment: Environment,
  name: string,
  tags: Record<string, string> = {},
): StackProps {
  return {
    stackName: `MobileHealth-${environment}-${name}`,
    terminationProtection: settingsOf(scope, environment).keepsData,
    tags: { project: 'mobile-health', environment, ...tags },
  };
}
