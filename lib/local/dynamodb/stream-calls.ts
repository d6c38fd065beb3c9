import type { Json, LevelOperation } from './dynalite.ts';
import { failure, invalid } from './failures.ts';
import { OPENING, type StreamLog, sequenceNumber } from './stream-log.ts';
import type { Streams } from './streams.ts';

type Context = { streams: Streams; region: string; now: number };
const ITERATOR_MS = 15 * 60 * 1000;

const CALLS: Record<string, (input: Json, context: Context) => Json> = {
  ListStreams: listStreams,
  DescribeStream: describeStream,
  GetShardIterator: getShardIterator,
  GetRecords: getRecords,
};

/** The calls of the API of streams, which has a name and a version of its own on the wire. */
export const isStreamAction = (action: string): boolean => Object.hasOwn(CALLS, action);

export function streamCall(
  action: string,
  input: Json,
  streams: Streams,
  region: string,
): { output: Json; operations: LevelOperation[] } {
  const now = Date.now();
  const operations = streams.trim(now);
  const output = CALLS[action]?.(input, { streams, region, now }) ?? {};
  return { output, operations };
}

function listStreams({ TableName, Limit, ExclusiveStartStreamArn }: Json, { streams }: Context): Json {
  const limit = limitOf(Limit, 100, 'Limit cannot be greater than the maximum allowed size: 100');
  const after = typeof ExclusiveStartStreamArn === 'string' ? ExclusiveStartStreamArn : '';
  const found = streams
    .all()
    .filter(({ state }) => (TableName == null || state.tableName === TableName) && state.arn > after);
  const page = found.slice(0, limit).map(({ state }) => state);
  const Streams = page.map(({ arn, tableName, label }) => ({
    StreamArn: arn,
    TableName: tableName,
    StreamLabel: label,
  }));
  return { Streams, ...(found.length > limit ? { LastEvaluatedStreamArn: page.at(-1)?.arn } : {}) };
}

function describeStream(input: Json, { streams }: Context): Json {
  const { StreamArn, Limit, ExclusiveStartShardId, ShardFilter } = input;
  limitOf(Limit, 100, 'Limit cannot be greater than the maximum allowed size: 100');
  if (StreamArn == null) throw invalid('Invalid StreamArn');
  const log = streams.find(StreamArn);
  if (!log) {
    throw failure('ResourceNotFoundException', `Requested resource not found: Stream: ${StreamArn} not found`);
  }
  const { state, shardId: ShardId } = log;
  const end = state.closedAt === undefined ? {} : { EndingSequenceNumber: sequenceNumber(log.next - 1) };
  const shard = { ShardId, SequenceNumberRange: { StartingSequenceNumber: sequenceNumber(OPENING), ...end } };
  // The filter asks for the children of a shard, and the only shard has none.
  const isPast = typeof ExclusiveStartShardId === 'string' && ExclusiveStartShardId >= ShardId;
  return {
    StreamDescription: {
      StreamArn: state.arn,
      StreamLabel: state.label,
      StreamStatus: state.closedAt === undefined ? 'ENABLED' : 'DISABLED',
      StreamViewType: state.viewType,
      CreationRequestDateTime: state.createdAt / 1000,
      TableName: state.tableName,
      KeySchema: state.keySchema,
      Shards: isPast || ShardFilter != null ? [] : [shard],
    },
  };
}

function getShardIterator(input: Json, { streams, now }: Context): Json {
  const { StreamArn, ShardId, ShardIteratorType, SequenceNumber } = input;
  if (ShardId == null) throw invalid('No ShardId specified.');
  if (StreamArn == null) {
    throw invalid('One or more parameter values were invalid: streamArn cannot be empty or null.');
  }
  const isNumbered = ShardIteratorType === 'AT_SEQUENCE_NUMBER' || ShardIteratorType === 'AFTER_SEQUENCE_NUMBER';
  if (!isNumbered && ShardIteratorType !== 'TRIM_HORIZON' && ShardIteratorType !== 'LATEST') {
    throw invalid('Invalid ShardIteratorType.');
  }
  if (isNumbered) checkNumber(SequenceNumber);
  else if (SequenceNumber != null) {
    throw invalid(
      'One or more parameter values were invalid: SequenceNumber should not be passed for this iterator type',
    );
  }
  const log = shardOf(StreamArn, ShardId, streams);
  if (!isNumbered) {
    return { ShardIterator: iterator(log, ShardIteratorType === 'LATEST' ? log.next : log.state.first, now) };
  }
  const number = numberOf(String(SequenceNumber), log) + (ShardIteratorType === 'AFTER_SEQUENCE_NUMBER' ? 1 : 0);
  return { ShardIterator: iterator(log, availableFrom(log, Math.max(number, OPENING + 1)), now) };
}

function getRecords({ ShardIterator, Limit }: Json, { streams, region, now }: Context): Json {
  const limit = limitOf(Limit, 1000, 'Limit should be less than or equal to 1000');
  const [arn = '', version, position = ''] = typeof ShardIterator === 'string' ? ShardIterator.split('|') : [];
  const [shardId, number, issued] = Buffer.from(position, 'base64url').toString().split('|');
  if (version !== '1' || !shardId || !Number.isSafeInteger(Number(number)) || !Number(issued)) {
    throw invalid('Invalid ShardIterator');
  }
  const log = shardOf(arn, shardId, streams);
  if (now - Number(issued) > ITERATOR_MS) {
    throw failure('ExpiredIteratorException', 'The shard iterator has expired: it was given more than 15 minutes ago');
  }
  const from = availableFrom(log, Number(number));
  const Records = log.read(from, limit, region);
  const next = from + Records.length;
  // A closed shard that was read to its end has no next iterator.
  const isOver = log.state.closedAt !== undefined && next >= log.next;
  return { Records, ...(isOver ? {} : { NextShardIterator: iterator(log, next, now) }) };
}

function shardOf(arn: unknown, shardId: unknown, streams: Streams): StreamLog {
  const log = streams.find(arn);
  if (!log) throw failure('ResourceNotFoundException', 'Stream does not exist');
  if (log.shardId !== shardId) throw failure('ResourceNotFoundException', 'Shard does not exist');
  return log;
}

/** An iterator in AWS's form: a readable ARN, by which IAM knows the stream of a GetRecords, and an opaque rest. */
function iterator({ state, shardId }: StreamLog, number: number, now: number): string {
  return `${state.arn}|1|${Buffer.from(`${shardId}|${number}|${now}`).toString('base64url')}`;
}

function availableFrom({ state }: StreamLog, number: number): number {
  if (number >= state.first) return number;
  const message = 'The operation attempted to read past the oldest stream record in a shard.';
  throw failure('TrimmedDataAccessException', message);
}

function checkNumber(number: unknown): void {
  if (typeof number !== 'string') throw invalid('One or more parameter values were invalid: Invalid SequenceNumber');
  const wrong =
    number.length < 21 ? 'greater than or equal to 21' : number.length > 40 ? 'less than or equal to 40' : undefined;
  if (wrong === undefined) return;
  throw invalid(
    `1 validation error detected: Value '${number}' at 'sequenceNumber' failed to satisfy constraint: ` +
      `Member must have length ${wrong}`,
  );
}

/** The number of a record of this shard, or of its opening. A later number is refused: it would skip coming records. */
function numberOf(text: string, { next }: StreamLog): number {
  const number = Number(text.slice(1));
  if (sequenceNumber(number) !== text || number < OPENING || number >= next) {
    throw invalid('Invalid SequenceNumber for the shard');
  }
  return number;
}

function limitOf(limit: unknown, most: number, tooMany: string): number {
  if (limit == null) return most;
  if (!Number.isInteger(limit) || typeof limit !== 'number') {
    throw failure('com.amazon.coral.service#SerializationException', 'Unexpected field type');
  }
  if (limit < 1) {
    throw invalid(
      `1 validation error detected: Value '${limit}' at 'limit' failed to satisfy constraint: ` +
        'Member must have value greater than or equal to 1',
    );
  }
  if (limit > most) throw invalid(`One or more parameter values were invalid: ${tooMany}`);
  return limit;
}
