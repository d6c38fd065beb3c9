import { Aws } from 'aws-cdk-lib/core';

/** IAM policy documents, written as IAM reads them. */

export type Statement = {
  readonly Sid?: string;
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal?: '*' | { readonly [kind: string]: string };
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: { readonly [operator: string]: { readonly [key: string]: string | readonly string[] } };
};

export function policy(...statements: Statement[]) {
  return { Version: '2012-10-17', Statement: statements };
}

export function assumedBy(service: string) {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  };
}

/** Of what CloudWatch's alarms may do: only for this environment's. A name that no template gives begins with the stack's. */
export function byAlarmsOf(environment: string) {
  return {
    StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
    ArnLike: { 'aws:SourceArn': arn('cloudwatch', `alarm:MobileHealth-${environment}-*`) },
  };
}

/** An ARN in the stack's own partition, region and account. */
export function arn(service: string, resource: string): string {
  return `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`;
}
