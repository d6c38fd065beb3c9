import type { Procedure } from './procedures.ts';
import type { Queue } from './queues.ts';
import type { Application } from './register.ts';
import type { Table } from './tables.ts';
import type { Topic } from './topics.ts';
import { ofKind, type Uses } from './uses.ts';

/**
 * A function that no route calls. It consumes the committed changes of a table, or the messages of a queue or a topic, runs on
 * a schedule, or performs a procedure for another function.
 */

type Common = {
  /** The application whose user pool, settings and alarms it uses. `all`: each application has a function of its own. */
  readonly application: Application | 'all';
  readonly summary: string;
  readonly uses: Uses;
  /** What the users feel when it fails; it is written for the person on call. */
  readonly impact: string;
  /** Counts under the dimension `application`; each count raises an alarm at once. The value is the alarm's impact. */
  readonly sounds?: Readonly<Record<string, string>>;
};

/** `retries` of a stream's consumer that gives a batch up only when its records are too old. */
export const untilTooOld = -1;

/**
 * The greatest `maxAgeSeconds` of a stream's consumer: an hour less than a stream keeps a change, so that what is given up
 * can still be stored in the failures' bucket.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Streams.html
 */
const twentyThreeHours = 82_800;

export type StreamConsumer = Common & {
  readonly stream: Table;
  readonly queue?: never;
  readonly topic?: never;
  readonly schedule?: never;
  readonly procedure?: never;
  /** 100 by default. */
  readonly batchSize?: number;
  /** How long Lambda collects records for a batch; 0 by default. */
  readonly windowSeconds?: number;
  /**
   * Retries of a batch, or `untilTooOld`. Lambda halves the batch each time, so that one bad record does not stop the others.
   * With `untilTooOld` a record that can never succeed blocks its shard, so the consumer has to set it aside.
   */
  readonly retries: number;
  /** Older records go to the failures' bucket without an attempt. 23 hours by default, which is the most: the stream keeps them for a day. */
  readonly maxAgeSeconds?: number;
  /** The command that counts all again, so that nothing is lost with a change. */
  readonly rebuiltBy?: string;
};

export type QueueConsumer = Common & {
  readonly queue: Queue;
  readonly stream?: never;
  readonly topic?: never;
  readonly schedule?: never;
  readonly procedure?: never;
  readonly batchSize: number;
  /** How many functions run at once. */
  readonly concurrency: number;
};

export type TopicConsumer = Common & {
  readonly topic: Topic;
  readonly stream?: never;
  readonly queue?: never;
  readonly schedule?: never;
  readonly procedure?: never;
  /** Retries of a message, minutes apart; after them it is lost. Lambda allows two at most. */
  readonly retries: 0 | 1 | 2;
  /** Older messages are lost without an attempt. */
  readonly maxAgeSeconds: number;
};

export type ScheduledConsumer = Common & {
  /** `rate(5 minutes)`, `rate(1 hour)`: real time, even where the time machine is set. */
  readonly schedule: `rate(${number} ${'minute' | 'minutes' | 'hour' | 'hours' | 'day' | 'days'})`;
  /** A count that each run writes, and the meaning of a value above 0: an alarm rings while it is not 0. */
  readonly alarm?: { readonly metric: string; readonly impact: string };
  readonly stream?: never;
  readonly queue?: never;
  readonly topic?: never;
  readonly procedure?: never;
};

export type ProcedureConsumer = Common & {
  /** Functions that have it in their `uses` (`callTo`) invoke this one, and wait for what it returns. */
  readonly procedure: Procedure;
  readonly stream?: never;
  readonly queue?: never;
  readonly topic?: never;
  readonly schedule?: never;
};

/** How a stream is read: what its consumer declares, and the defaults. */
export function readingOf(consumer: StreamConsumer) {
  const { batchSize = 100, windowSeconds = 0, retries, maxAgeSeconds = twentyThreeHours } = consumer;
  return { batchSize, windowSeconds, retries, maxAgeSeconds };
}

const unitSeconds = { minute: 60, hour: 3600, day: 86_400 };

/** @returns seconds from one run to the next */
export function intervalOf({ schedule }: ScheduledConsumer): number {
  return secondsOf(schedule);
}

/** @param schedule `rate(5 minutes)`, as a consumer or a template has it @returns NaN for any other form */
export function secondsOf(schedule: string): number {
  const [, number, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule) ?? [];
  return Number(number) * unitSeconds[unit as keyof typeof unitSeconds];
}

export type Consumer = StreamConsumer | QueueConsumer | TopicConsumer | ScheduledConsumer | ProcedureConsumer;

export function runsIn({ application }: Consumer, wanted: Application): boolean {
  return application === 'all' || application === wanted;
}

/**
 * Declares a consumer. Its Lambda function, grants, environment variables and event-source mapping, subscription or rule
 * are derived from it.
 *
 * @throws an Error where Lambda would refuse the declaration, or where a stream would lose a change that is given up
 */
export function consumer<const C extends Consumer>(declaration: C): C {
  if (declaration.schedule) {
    // https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-scheduled-rule-pattern.html#eb-rate-expressions
    const [, number, plural] = /^rate\(([1-9]\d*) \w+?(s?)\)$/.exec(declaration.schedule) ?? [];
    if (!number || (number === '1') === (plural === 's')) {
      throw new Error(
        `${declaration.summary}: rate(1 hour), rate(5 minutes): a whole number, and the unit as it is said`,
      );
    }
    return declaration;
  }
  if (declaration.procedure) {
    // A chain of calls would outlast the first caller, and could become a circle.
    if (ofKind(declaration.uses, 'procedure').length > 0) {
      throw new Error(`${declaration.summary}: what performs a procedure calls no other one`);
    }
    return declaration;
  }
  if (declaration.stream) {
    const { batchSize, retries, maxAgeSeconds } = readingOf(declaration);
    if (!declaration.stream.stream) {
      throw new Error(`${declaration.summary}: table ${declaration.stream.name} has no stream`);
    }
    // The numbers of retries, and the least age of a change: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html
    if (!(retries >= -1 && retries <= 10_000)) {
      throw new Error(
        `${declaration.summary}: retries are 0 to 10000, or -1 for as long as the records are young enough`,
      );
    }
    if (!(maxAgeSeconds >= 60 && maxAgeSeconds <= twentyThreeHours)) {
      throw new Error(`${declaration.summary}: a change's greatest age is 60 to ${twentyThreeHours} seconds`);
    }
    checkBatch(declaration, batchSize, 10_000);
    return declaration;
  }
  if (declaration.topic) {
    // https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html
    if (!(declaration.maxAgeSeconds >= 60 && declaration.maxAgeSeconds <= 21_600)) {
      throw new Error(`${declaration.summary}: a message's greatest age is 60 to 21600 seconds`);
    }
    return declaration;
  }
  checkBatch(declaration, declaration.batchSize, 10);
  // https://docs.aws.amazon.com/lambda/latest/api/API_ScalingConfig.html
  if (declaration.concurrency < 2) throw new Error(`${declaration.summary}: at least 2 at a time`);
  return declaration;
}

function checkBatch({ summary }: Common, size: number, most: number): void {
  if (!(size >= 1 && size <= most)) throw new Error(`${summary}: a batch is of 1 to ${most}`);
}
