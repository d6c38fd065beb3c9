import { variableOf } from './variables.ts';

/** An SQS queue, as the domain that owns it declares it in its `queues.ts`; a dead-letter queue comes with it. */
export type Queue<N extends string = string> = {
  readonly name: N;
  /** How often a message is received before it goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** What a message asks for takes up to a minute, where others' take seconds. It comes again six minutes after a crash. */
  readonly isLong?: true;
  /** What the users feel of a message in the dead-letter queue, for whom the alarm wakes. */
  readonly lossImpact: string;
  /** What they feel of messages that wait. */
  readonly delayImpact: string;
};

/** @param name that of the constant, too: the queue's logical id and environment variable follow from it */
export function queue<const N extends string>(name: N, declaration: Omit<Queue, 'name'>): Queue<N> {
  return { name, ...declaration };
}

/** The environment variable that carries a queue's address: `PushQueue` → `PUSH_QUEUE_URL`. */
export function queueVariable(queue: Pick<Queue, 'name'>): string {
  return variableOf(queue, 'URL');
}
