import { Aws } from 'aws-cdk-lib/core';

/** IAM policy documents, in IAM's own form. */

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

/** Statements that differ only in the table become one, which allows the same: IAM takes 10,240 characters of inline policies. */
export function compact(statements: readonly Statement[]): readonly Statement[] {
  const alike = Map.groupBy(statements, ({ Resource: _, ...rest }, index) =>
    String(rest.Action).startsWith('dynamodb:') ? JSON.stringify(rest) : String(index),
  );
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return first ? [first] : [];
    return [{ ...first, Resource: [first, ...others].flatMap(({ Resource }) => Resource) }];
  });
}

/** How many table ARNs fit into one managed policy of 6,144 characters beside their actions and conditions. An ARN has about 110. */
const mostInManaged = 32;
/** How many ARNs fit into a role's 10,240 characters of inline policies. */
const mostInline = 50;

/**
 * Moves statements that do not fit into a role's inline policies to managed ones: those on tables, since they are the most.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
export function divide(statements: readonly Statement[]): { inline: readonly Statement[]; managed: Statement[][] } {
  if (statements.flatMap(({ Resource }) => Resource).length <= mostInline) return { inline: statements, managed: [] };
  const [ofTables, inline] = [true, false].map((wanted) =>
    statements.filter(({ Action }) => String(Action).startsWith('dynamodb:') === wanted),
  ) as [Statement[], Statement[]];
  const managed: Statement[][] = [];
  let room = 0;
  for (const statement of ofTables) {
    const left = [statement.Resource].flat();
    while (left.length > 0) {
      if (room === 0) {
        managed.push([]);
        room = mostInManaged;
      }
      const taken = left.splice(0, room);
      managed.at(-1)?.push({ ...statement, Resource: taken });
      room -= taken.length;
    }
  }
  return { inline, managed };
}

export function assumedBy(service: string) {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  };
}

/** CloudWatch's alarms may use it only for this environment. A name that no template sets begins with the stack's name. */
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
