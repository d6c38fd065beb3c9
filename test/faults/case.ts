import type { RouteName } from './routes.ts';

/** One fault on one route as data: what goes wrong, for how many calls, and what the caller has to be told. */

export type Dependency = 'DynamoDB' | 'SNS' | 'SQS' | 'S3' | 'KMS' | 'Lambda' | 'Cognito' | 'EventBridge' | 'SES';

export type Kind = 'throttle' | 'error' | 'hang' | 'garbage' | 'lose-response' | 'garble-response' | 'conflict';

export type Plan = {
  readonly dependency: Dependency;
  readonly kind: Kind;
  /** How many calls meet it; Infinity is an outage. */
  readonly times: number;
  /** `TransactWriteItems`; calls of any name unless given. */
  readonly action?: string;
  /** What the calls carry that meet it: '' is in all, a table's name in those to it. The case's own mark unless given. */
  readonly carrying?: string;
};

export type FaultCase = {
  readonly name: string;
  readonly plan: Plan;
  readonly route: RouteName;
  /** Null: as if nothing had happened. */
  readonly code: string | null;
};

/** What is said of a plan in the name of a test: `DynamoDB: throttle 2 times on TransactWriteItems`. */
export function nameOf({ dependency, kind, times, action, carrying }: Plan): string {
  const often = times === Number.POSITIVE_INFINITY ? 'for ever' : `${times} times`;
  const parts = [`${dependency}: ${kind} ${often}`, action && `on ${action}`, carrying && `on ${carrying}`];
  return parts.filter(Boolean).join(' ');
}
