import type {
  DynamoDBBatchResponse,
  DynamoDBRecord,
  DynamoDBStreamEvent,
  SNSEvent,
  SNSMessage,
  SQSBatchResponse,
  SQSEvent,
  SQSRecord,
} from 'aws-lambda';
import type { Consumer, QueueConsumer, StreamConsumer, TopicConsumer } from '../contract/consumer.ts';
import { leftForRetry, withoutMetrics } from '../contract/metrics.ts';
import { listedTables, listVariable, namesIn } from '../contract/table-names.ts';
import type { Table } from '../contract/tables.ts';
import { tablesIn, usesIn } from '../contract/uses.ts';
import { type FunctionEnvironment, given, type Named, namedIn, readEnvironment, tableNameOf } from './environment.ts';
import { describeError, type Line, writeLine } from './log.ts';
import type { Runtime } from './runtime.ts';
import { type HandlesOf, handlesOf } from './table-handle.ts';

/** What a consumer's function can use. Parts that its declaration does not name are absent. */
export type Bindings<C extends Consumer> = Named<C['uses']> & {
  readonly tables: HandlesOf<C['uses']>;
  readonly where: FunctionEnvironment;
  /** Real time: leases, ages and logs use no other. */
  readonly now: () => Date;
  /** @param metrics counts under the dimension `application` */
  readonly log: (line: Line, metrics?: Readonly<Record<string, number>>) => void;
};

/** @returns the sequence number of the first record that was not consumed, or null. Lambda tries that record and all later ones again */
type HandleStream<C extends StreamConsumer> = (
  records: readonly DynamoDBRecord[],
  bindings: Bindings<C>,
) => Promise<string | null>;

/** Makes a handler from a declaration and a function that consumes a batch of changes in their order (`lib/contract/parts.ts` gives it the runtime). */
export function consumeStream<const C extends StreamConsumer>(declared: C) {
  return (handle: HandleStream<C>) =>
    (runtime: Runtime) =>
    async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
      const bindings = bindingsOf(declared, runtime);
      const began = runtime.realNow().getTime();
      const failed = await handle(Records, bindings).catch((error: unknown) => {
        bindings.log({ level: 'ERROR', message: 'batch failed', error: describeError(error) });
        return Records[0]?.dynamodb?.SequenceNumber ?? '';
      });
      const durationMs = runtime.realNow().getTime() - began;
      bindings.log({ level: 'INFO', message: 'batch', records: Records.length, complete: failed === null, durationMs });
      return { batchItemFailures: failed === null ? [] : [{ itemIdentifier: failed }] };
    };
}

type HandleMessage<C extends QueueConsumer> = (
  message: SQSRecord,
  bindings: Bindings<C> & { readonly remainingMs: () => number },
) => Promise<void>;

type Context = { getRemainingTimeInMillis(): number };

/** The same for a queue: all messages at once, each by itself. A message whose handling throws comes again. */
export function consumeQueue<const C extends QueueConsumer>(declared: C) {
  return (handle: HandleMessage<C>) =>
    (runtime: Runtime) =>
    async ({ Records }: SQSEvent, context?: Context): Promise<SQSBatchResponse> => {
      const remainingMs = () => context?.getRemainingTimeInMillis() ?? 0;
      const bindings = { ...bindingsOf(declared, runtime), remainingMs };
      const handled = await Promise.allSettled(Records.map(async (record) => handle(record, bindings)));
      const failed = handled.flatMap((result, index) => {
        if (result.status === 'fulfilled') return [];
        const error = describeError(result.reason);
        bindings.log({ level: 'WARN', message: 'message left for a retry', error }, { [leftForRetry]: 1 });
        return [{ itemIdentifier: Records[index]?.messageId ?? '' }];
      });
      return { batchItemFailures: failed };
    };
}

type HandleEvent<C extends TopicConsumer> = (message: SNSMessage, bindings: Bindings<C>) => Promise<void>;

/** Lambda logs an error that a function throws, with its message. */
class LeftForRetry extends Error {
  override readonly name = 'LeftForRetry';
}

/** The same for a topic, which sends one message at a time. Where its handling throws, Lambda tries it again as declared. */
export function consumeTopic<const C extends TopicConsumer>(declared: C) {
  return (handle: HandleEvent<C>) =>
    (runtime: Runtime) =>
    async ({ Records }: SNSEvent): Promise<void> => {
      const bindings = bindingsOf(declared, runtime);
      for (const { Sns } of Records) {
        await handle(Sns, bindings).catch((error: unknown) => {
          bindings.log({ level: 'WARN', message: 'event left for a retry', error: describeError(error) });
          throw new LeftForRetry();
        });
      }
    };
}

/** @throws an Error where the stack did not set a value that the declaration names. */
export function bindingsOf<C extends Consumer>(
  declared: C,
  { variables, realNow, write, dynamo }: Runtime,
): Bindings<C> {
  const where = readEnvironment(variables);
  const tables = tablesIn(usesIn(declared.uses, where.environment)).map(([table]) => table);
  const listed = listedTables(tables);
  const names = listed.length > 0 ? namesIn(given(where, listVariable(listed)), listed, where.environment) : [];
  const isCounted = variables.METRICS !== withoutMetrics.METRICS;
  const nameOf = (table: Table) => names[listed.indexOf(table)] ?? tableNameOf(where, table);
  return {
    tables: handlesOf(tables, nameOf, dynamo),
    ...namedIn(declared.uses, where),
    where,
    now: realNow,
    log: (line: Line, metrics?: Readonly<Record<string, number>>) =>
      writeLine(
        write,
        metrics ? { ...line, ...metrics, application: where.application } : line,
        realNow(),
        isCounted ? metrics : {},
      ),
  } as unknown as Bindings<C>;
}
