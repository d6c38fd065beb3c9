import type { CfnResource, PolicyValidationPluginReport } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';

/**
 * What is used of cdk-nag 3.0.2. Its own types name the whole of aws-cdk-lib: 650,000 lines, a third of what a type check
 * reads. `paths` in tsconfig.json puts this in their place; nothing else follows it.
 */

export declare enum NagRuleCompliance {
  COMPLIANT = 'Compliant',
  NON_COMPLIANT = 'Non-Compliant',
  NOT_APPLICABLE = 'N/A',
}

export interface IApplyRule {
  ruleSuffixOverride?: string;
  info: string;
  explanation: string;
  level: string;
  node: CfnResource;
  rule(node: CfnResource): NagRuleCompliance | string[];
}

declare class NagPack {
  get readPackName(): string;
  validateScope(scope: IConstruct): PolicyValidationPluginReport;
  protected applyRule(params: IApplyRule): void;
}

export declare class AwsSolutionsChecks extends NagPack {}
export declare class HIPAASecurityChecks extends NagPack {}
