/** Every queue of an environment; each has a dead-letter queue beside it. */

export type Queue = {
  /** How often a message is received before it goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** What the users feel of a message in the dead-letter queue, for whom the alarm wakes. */
  readonly lossImpact: string;
  /** What they feel of messages that wait. */
  readonly delayImpact: string;
};

export const queues = {
  /** One message for each push and device. */
  PushQueue: {
    maxReceives: 5,
    lossImpact: 'Pushes to some devices were given up; their users see new messages only when they open the app',
    delayImpact: 'Pushes arrive minutes late',
  },
} as const satisfies Record<string, Queue>;

export type QueueName = keyof typeof queues;

/** The environment variable that carries a queue's address: `PushQueue` → `PUSH_QUEUE_URL`. */
export function queueVariable(name: QueueName): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_URL`;
}
