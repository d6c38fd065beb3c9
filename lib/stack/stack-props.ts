import type { StackProps } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/deployments.ts';
import { settings } from './settings.ts';

/** CloudFormation copies a stack's tags to all its resources, nested stacks included. The templates stay free of tags. */
export function stackProps(environment: Environment, name: string, tags: Record<string, string> = {}): StackProps {
  return {
    stackName: `MobileHealth-${environment}-${name}`,
    terminationProtection: settings[environment].keepsData,
    tags: { project: 'mobile-health', environment, ...tags },
  };
}
