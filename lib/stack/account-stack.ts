import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import { CfnRole } from 'aws-cdk-lib/aws-iam';
import { Aws, RemovalPolicy, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { acknowledge } from './acknowledgements.ts';
import { assumedBy } from './policy.ts';

/**
 * Resources that an account has once, for all environments in it: the role with which API Gateway writes logs. The template
 * is the same for each stage, so every stage's deployment finds it unchanged.
 */
export class AccountStack extends Stack {
  constructor(scope: Construct) {
    super(scope, 'Account', { stackName: 'MobileHealth-Account', tags: { project: 'mobile-health' } });
    const role = new CfnRole(this, 'ApiGatewayLogRole', {
      description: 'API Gateway writes the access logs of every API of this account and region',
      assumeRolePolicyDocument: assumedBy('apigateway.amazonaws.com'),
      // AWS's documented policy for exactly this purpose, which AWS keeps up to date:
      // https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
      managedPolicyArns: [`arn:${Aws.PARTITION}:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs`],
    });
    acknowledge(role, 'maintainedByAws');
    const account = new CfnAccount(this, 'ApiGatewayAccount', { cloudWatchRoleArn: role.attrArn });
    // Kept when this stack is deleted: other stages, and other APIs of the account, still log with it.
    role.applyRemovalPolicy(RemovalPolicy.RETAIN);
    account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  }
}
