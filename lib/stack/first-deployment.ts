import { CfnUserPool } from 'aws-cdk-lib/aws-cognito';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { CfnLogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnDeletionPolicy, CfnResource, type IAspect, NestedStack, Stack } from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import { logBucketId } from './access-log-bucket.ts';

/**
 * Of a stack that is not there yet: what it keeps goes where its creation is rolled back, and only then. Nothing is protected, since a
 * rollback cannot delete what is. Else each failed attempt would leave a set of tables, keys and pools behind, and a stack that the CDK
 * cannot replace by the next one. `deploy` protects in a second step: https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-deletionpolicy.html
 */
export const unprotected: IAspect = {
  visit(made: IConstruct): void {
    if (made instanceof Stack && !(made instanceof NestedStack)) made.terminationProtection = false;
    if (!(made instanceof CfnResource)) return;
    if (made instanceof CfnTable || made instanceof CfnLogGroup) made.deletionProtectionEnabled = false;
    if (made instanceof CfnUserPool) made.deletionProtection = 'INACTIVE';
    const { cfnOptions } = made;
    // S3 itself writes into the log bucket, and a bucket that is not empty would stop the rollback.
    if (cfnOptions.deletionPolicy !== CfnDeletionPolicy.RETAIN || made.node.id === logBucketId) return;
    cfnOptions.deletionPolicy = CfnDeletionPolicy.RETAIN_EXCEPT_ON_CREATE;
  },
};
