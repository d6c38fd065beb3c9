import { variableOf } from './variables.ts';

/** An SQS queue, as the domain that owns it declares it in its `queues.ts`; a dead-letter queue comes with it. */
export type Queue<N extends string = string> = {
  readonly name: N;
  /** How often a message is received before it goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** A message takes up to a minute to handle; other queues' messages take seconds. After a crash it comes again six minutes later. */
  readonly isLong?: true;
  /** What the users feel when a message is in the dead-letter queue; it is written for the person on call. */
  readonly lossImpact: string;
  /** What they feel when messages wait. */
  readonly delayImpact: string;
};

/** @param name also the name of the constant; the queue's logical id and environment variable are derived from it */
export function queue<const N extends string>(name: N, declaration: Omit<Queue, 'name'>): Queue<N> {
  return { name, ...declaration };
}

/** The environment variable that carries a queue's address: `PushQueue` → `PUSH_QUEUE_URL`. */
export function queueVariable(queue: Pick<Queue, 'name'>): string {
  return variableOf(queue, 'URL');
}
