import type { StackProps } from 'aws-cdk-lib/core';
import type { Environment } from '../contract/deployments.ts';
import { settings } from './settings.ts';

/** CloudFormation hands a stack's tags to all that it makes, nested stacks included; the templates stay free of them. */
export function stackProps(environment: Environment, name: string, tags: Record<string, string> = {}): StackProps {
  return {
    stackName: `MobileHealth-${environment}-${name}`,
    terminationProtection: settings[environment].keepsData,
    tags: { project: 'mobile-health', environment, ...tags },
  };
}
