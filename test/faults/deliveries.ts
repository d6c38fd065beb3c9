import type { Dependency, Kind, Plan } from './case.ts';

/** Faults behind the answer, as data: pushes, events for other services and counts are late then, and never lost. */

export type DeliveryCase = {
  readonly name: string;
  readonly plan: Plan;
  /** What the calls carry that meet it. */
  readonly by: 'userId' | 'endpoint';
  /** How often the same push may come at most: more than once only where SNS took it and its answer was lost (decision 17). */
  readonly atMost: number;
  /** Whether the queue may have to bring a message again, which it does after a minute. */
  readonly isRedelivered: boolean;
};

type Row = { kind: Kind; times: number; action?: string; atMost?: number; isRedelivered?: boolean };

function casesOf(dependency: Dependency, by: DeliveryCase['by'], rows: readonly Row[]): DeliveryCase[] {
  return rows.map(({ kind, times, action, atMost = 1, isRedelivered = false }) => ({
    name: `${dependency}: ${kind} ${times} times${action ? ` on ${action}` : ''}`,
    plan: { dependency, kind, times, ...(action && { action }) },
    by,
    atMost,
    isRedelivered,
  }));
}

/** Three attempts are one call of a function; what takes more of them is a call that failed. */
export const pushCases: readonly DeliveryCase[] = [
  ...casesOf('SQS', 'userId', [
    { kind: 'throttle', times: 4 },
    { kind: 'error', times: 4 },
    { kind: 'garbage', times: 2 },
    { kind: 'hang', times: 4 },
    // A copy that comes while the first is sent, if it does, waits its minute, and finds it sent.
    { kind: 'lose-response', times: 4, isRedelivered: true },
  ]),
  ...casesOf('SNS', 'endpoint', [
    { kind: 'throttle', times: 2 },
    { kind: 'error', times: 3, isRedelivered: true },
    { kind: 'garbage', times: 1, isRedelivered: true },
    { kind: 'hang', times: 3, isRedelivered: true },
    { kind: 'lose-response', times: 1, atMost: 2 },
  ]),
  ...casesOf('DynamoDB', 'userId', [
    { kind: 'throttle', times: 2, action: 'UpdateItem' },
    { kind: 'lose-response', times: 1, action: 'UpdateItem' },
    { kind: 'error', times: 3, action: 'UpdateItem', isRedelivered: true },
    { kind: 'error', times: 4, action: 'Query' },
  ]),
];

export const eventCases: readonly Pick<DeliveryCase, 'name' | 'plan'>[] = casesOf('EventBridge', 'userId', [
  { kind: 'throttle', times: 4 },
  { kind: 'error', times: 4 },
  { kind: 'garbage', times: 2 },
  { kind: 'hang', times: 4 },
  { kind: 'lose-response', times: 4 },
]);

/** Of `watchAccessLog`; the other watchers are the same code. The stream brings a batch again that failed. */
export const findingCases: readonly Pick<DeliveryCase, 'name' | 'plan'>[] = [
  ...casesOf('S3', 'userId', [
    { kind: 'throttle', times: 4 },
    { kind: 'error', times: 7 },
    { kind: 'hang', times: 4 },
    { kind: 'lose-response', times: 4 },
  ]),
  ...casesOf('SNS', 'userId', [
    { kind: 'throttle', times: 4 },
    { kind: 'error', times: 7 },
    { kind: 'garbage', times: 4 },
    { kind: 'hang', times: 4 },
    { kind: 'lose-response', times: 4 },
  ]),
];

/** Of `countTickets`; the counters of other things are the same code. Three attempts are one call of the function. */
export const countCases: readonly Pick<DeliveryCase, 'name' | 'plan'>[] = casesOf('DynamoDB', 'userId', [
  { kind: 'throttle', times: 4, action: 'GetItem' },
  { kind: 'garbage', times: 2, action: 'GetItem' },
  { kind: 'error', times: 4, action: 'TransactWriteItems' },
  { kind: 'conflict', times: 4, action: 'TransactWriteItems' },
  // The count was changed, and the function does not know: it comes again, and finds it counted.
  { kind: 'lose-response', times: 3, action: 'TransactWriteItems' },
]);
