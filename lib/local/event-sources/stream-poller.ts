import { setTimeout as sleep } from 'node:timers/promises';
import { DynamoDbError } from '../dynamodb/client.ts';
import type { InvokeResult } from '../functions/result.ts';
import type { StreamSourceModel } from '../model.ts';
import { consumeBatch, type GivenUp } from './stream-batches.ts';
import { inEvent, type StreamCall, type StreamRecord } from './stream-client.ts';

/** Lambda's poller of one stream, with the function's own credentials: a missing grant shows here as on AWS. */

export type Poller = {
  /** Starts no new invocations from now on. */
  readonly stop: () => void;
  /** Waits for the running invocations. */
  readonly finished: () => Promise<void>;
  /** Nothing is under way in the source or in an invocation. A batch that waits for a retry counts as under way. */
  readonly isIdle: () => boolean;
  /** No invocation runs, and everything in the source waits for its time. */
  readonly isWaiting?: () => boolean;
};

export type StreamPollerOptions = {
  readonly source: StreamSourceModel;
  /** The latest stream of the source's table; undefined if it has none. */
  readonly findStream: () => Promise<string | undefined>;
  readonly call: StreamCall;
  readonly invoke: (event: unknown) => Promise<InvokeResult>;
  readonly giveUp: (record: object, shardId: string) => Promise<void>;
  /** Reports new records of a stream. Without it the poller asks four times a second, as Lambda does. */
  readonly onCommit?: ((listener: (streamArn: string) => void) => () => void) | undefined;
  /**
   * The position of the newest record in the table's stream; undefined if no stream is open or the position is unknown.
   */
  readonly newestRecord: () => string | undefined;
  /** The poller's position at the end of the last stage, by shard. */
  readonly checkpoints: Checkpoints;
  readonly log: (line: string) => void;
};

export type Checkpoints = {
  readonly read: (shardId: string) => string | undefined;
  readonly write: (shardId: string, sequenceNumber: string) => void;
};

const pollMs = 250;
const longestPauseMs = 1000;
/** The poller asks after this time without a report, too: a closed stream reports nothing. */
const longestQuietMs = 10_000;

export function startStreamPoller(options: StreamPollerOptions): Poller {
  const { source, call, log } = options;
  const ended = new AbortController();
  const isClosed = () => ended.signal.aborted;
  const wait = (milliseconds: number) =>
    sleep(milliseconds, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
  /** The newest record at the time of a request that returned an empty page: all records up to it are consumed. */
  let readTo: string | undefined;
  let hasEnded = false;
  let isTold = false;
  let wake: () => void = () => undefined;
  const stopListening = options.onCommit?.((streamArn) => {
    if (!streamArn.includes(`/${source.tableName}/`)) return;
    isTold = true;
    wake();
  });
  const quiet = async () => {
    if (!options.onCommit) return wait(pollMs);
    if (isTold) return;
    const woken = Promise.withResolvers<void>();
    wake = woken.resolve;
    const timer = setTimeout(wake, longestQuietMs);
    await woken.promise;
    clearTimeout(timer);
  };

  async function readShard(streamArn: string, shardId: string): Promise<void> {
    let last = options.checkpoints.read(shardId);
    let iterator = await iteratorAfter(call, { streamArn, shardId, last, startsAt: source.startsAt });
    while (!isClosed()) {
      // Records that are committed from now on are read in the next turn at the latest.
      isTold = false;
      const newest = options.newestRecord();
      const page = await call('GetRecords', { ShardIterator: iterator, Limit: Math.min(source.batchSize, 1000) }).catch(
        async (error: unknown) => {
          const isForgotten = error instanceof DynamoDbError && error.name === 'TrimmedDataAccessException';
          const isExpired = error instanceof DynamoDbError && error.name === 'ExpiredIteratorException';
          if (!isForgotten && !isExpired) throw error;
          if (isForgotten) last = undefined;
          const startsAt = isForgotten ? 'TRIM_HORIZON' : source.startsAt;
          iterator = await iteratorAfter(call, { streamArn, shardId, last, startsAt });
          return null;
        },
      );
      if (!page) continue;
      const isWindowOpen = page.Records.length > 0 && page.Records.length < source.batchSize && source.windowMs > 0;
      if (isWindowOpen) {
        await wait(source.windowMs);
        // Reads the same page again, with the records that were added in the meantime.
        const fuller = await call('GetRecords', { ShardIterator: iterator, Limit: Math.min(source.batchSize, 1000) });
        Object.assign(page, fuller);
      }
      await consume(page.Records, streamArn, shardId);
      last = page.Records.at(-1)?.dynamodb.SequenceNumber ?? last;
      if (isClosed()) return;
      if (page.Records.length > 0 && last !== undefined) options.checkpoints.write(shardId, last);
      if (page.NextShardIterator === undefined) return;
      iterator = page.NextShardIterator;
      if (page.Records.length > 0) continue;
      readTo = newest;
      await quiet();
    }
  }

  async function consume(records: readonly StreamRecord[], streamArn: string, shardId: string): Promise<void> {
    await consumeBatch(records, {
      source,
      invoke: (batch) => options.invoke({ Records: batch.map((record) => inEvent(record, streamArn)) }),
      giveUp: async (batch, given) => {
        log(`${source.path}: gave up ${batch.length} records of ${source.tableName}: ${given.condition}`);
        await options.giveUp(givenUp(batch, given, { streamArn, shardId, source }), shardId);
      },
      now: Date.now,
      pause: (attempt) => wait(Math.min(50 * 2 ** attempt, longestPauseMs)),
      isClosed,
    });
  }

  async function run(): Promise<void> {
    const read = new Set<string>();
    let said = '';
    while (!isClosed()) {
      try {
        const streamArn = await options.findStream();
        if (!streamArn) throw new Error(`${source.tableName} has no stream`);
        const { StreamDescription } = await call('DescribeStream', { StreamArn: streamArn });
        const next = StreamDescription.Shards.filter(({ ShardId }) => !read.has(`${streamArn}${ShardId}`));
        // Parents come before their children in the list, and each shard is read to its end.
        for (const { ShardId } of next) {
          await readShard(streamArn, ShardId);
          read.add(`${streamArn}${ShardId}`);
        }
        if (next.length === 0) await wait(pollMs);
        said = '';
      } catch (error) {
        if (isClosed()) return;
        const message = `${source.path}: ${error instanceof Error ? error.message : String(error)}`;
        if (message !== said) log(message);
        said = message;
        await wait(longestPauseMs);
      }
    }
  }

  const running = run().finally(() => {
    hasEnded = true;
  });
  return {
    stop: () => {
      ended.abort();
      stopListening?.();
      wake();
    },
    finished: () => running,
    isIdle: () => {
      const newest = options.newestRecord();
      return hasEnded || newest === undefined || newest === readTo;
    },
  };
}

type ShardPosition = {
  streamArn: string;
  shardId: string;
  last: string | undefined;
  startsAt: 'TRIM_HORIZON' | 'LATEST';
};

async function iteratorAfter(call: StreamCall, { streamArn, shardId, last, startsAt }: ShardPosition): Promise<string> {
  const shard = { StreamArn: streamArn, ShardId: shardId };
  const from =
    last === undefined
      ? { ShardIteratorType: startsAt }
      : { ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: last };
  const { ShardIterator } = await call('GetShardIterator', { ...shard, ...from }).catch((error: unknown) => {
    if (!(error instanceof DynamoDbError) || error.name !== 'TrimmedDataAccessException') throw error;
    return call('GetShardIterator', { ...shard, ShardIteratorType: 'TRIM_HORIZON' });
  });
  return ShardIterator;
}

/** A batch as Lambda writes it into S3: its position and all of its records. */
function givenUp(
  records: readonly StreamRecord[],
  { condition, attempts, error }: GivenUp,
  { streamArn, shardId, source }: { streamArn: string; shardId: string; source: StreamSourceModel },
) {
  const time = (record: StreamRecord | undefined) =>
    new Date((record?.dynamodb.ApproximateCreationDateTime ?? 0) * 1000).toISOString();
  return {
    requestContext: { functionArn: source.functionArn, condition, approximateInvokeCount: attempts },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: error },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
      endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
      approximateArrivalOfFirstRecord: time(records[0]),
      approximateArrivalOfLastRecord: time(records.at(-1)),
      batchSize: records.length,
      streamArn,
    },
    payload: JSON.stringify({ Records: records.map((record) => inEvent(record, streamArn)) }),
  };
}
