import { hash } from 'node:crypto';
import { db, type Item, type Json, type KeySchema, type LevelOperation } from './dynalite.ts';

export type ViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

/** A stream without its records; stored under its ARN. */
export type StreamState = {
  arn: string;
  label: string;
  tableName: string;
  viewType: ViewType;
  keySchema: KeySchema;
  /** Times are in milliseconds since 1970. */
  createdAt: number;
  /** When the stream was disabled or its table was deleted. */
  closedAt?: number;
  /** The number of the oldest kept record, or of the next record if none is kept. */
  first: number;
};

/** A stored record. It has only the images that the stream shows. */
export type Entry = {
  at: number;
  name: 'INSERT' | 'MODIFY' | 'REMOVE';
  keys: Item;
  before?: Item;
  after?: Item;
  isExpiry?: true;
};
/** `isExpiry`: the time to live made the change, and no caller. */
export type ItemChange = { before: Item | undefined; after: Item | undefined; isExpiry?: boolean };

/** The number of the shard's opening; its first record has the next number. */
export const OPENING = 1;
const RETENTION_MS = 24 * 60 * 60 * 1000;
/** More than a stage writes in a day, less than its memory holds. */
const MAX_RECORDS = 1_000_000;
const TRIM_EVERY_MS = 60 * 1000;
const PAGE_BYTES = 1024 * 1024;

/**
 * One stream: a log of one shard. Amazon's streams have a shard for each partition of the table and keep only the order
 * of each item. Here the records of all items are in commit order.
 */
export class StreamLog {
  readonly state: StreamState;
  #entries: Entry[] = [];
  #trimAt = 0;

  constructor(state: StreamState) {
    this.state = state;
  }

  /** The number of the next record. */
  get next(): number {
    return this.state.first + this.#entries.length;
  }

  get shardId(): string {
    const { arn, createdAt } = this.state;
    return `shardId-${String(createdAt).padStart(20, '0')}-${hash('md5', arn).slice(0, 8)}`;
  }

  /** Records a change of an item, unless the item stays the same. */
  append(change: ItemChange, now: number): LevelOperation[] {
    const entry = entryOf(this.state, change, now);
    const trimmed = this.trim(now);
    const key = entryKey(this.state.arn, this.next);
    this.#entries.push(entry);
    return [...trimmed, { type: 'put', key, value: entry }];
  }

  /** Restores an entry from the journal; called in the order of the entries. */
  restore(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Forgets records that are older than a day. It checks once a minute, so a record may stay a minute longer. */
  trim(now: number): LevelOperation[] {
    const full = this.#entries.length >= MAX_RECORDS;
    if (now < this.#trimAt && !full) return [];
    this.#trimAt = now + TRIM_EVERY_MS;
    const oldest = this.#entries.findIndex(({ at }) => at > now - RETENTION_MS);
    const expired = oldest < 0 ? this.#entries.length : oldest;
    const count = full ? Math.max(expired, MAX_RECORDS / 10) : expired;
    if (count === 0) return [];
    const { arn, first } = this.state;
    this.#entries = this.#entries.slice(count);
    this.state.first = first + count;
    return [...Array.from({ length: count }, (_, i) => deletion(arn, first + i)), this.stored()];
  }

  /** The records from a number on: at most `limit` records and a megabyte, but at least one. */
  read(from: number, limit: number, region: string): Json[] {
    const records: Json[] = [];
    let bytes = 0;
    const start = from - this.state.first;
    for (const [i, entry] of this.#entries.slice(start, start + limit).entries()) {
      const SizeBytes = sizeOf({ before: undefined, after: undefined, ...entry });
      bytes += SizeBytes;
      if (bytes > PAGE_BYTES && records.length > 0) break;
      records.push(recordOf(this.state, from + i, entry, region, SizeBytes));
    }
    return records;
  }

  isGone(now: number): boolean {
    return this.state.closedAt !== undefined && this.state.closedAt <= now - RETENTION_MS;
  }

  stored(): LevelOperation {
    return { type: 'put', key: streamKey(this.state.arn), value: { ...this.state } };
  }

  removal(): LevelOperation[] {
    const { arn, first } = this.state;
    return [...this.#entries.map((_, i) => deletion(arn, first + i)), { type: 'del', key: streamKey(arn) }];
  }
}

/** A record as `GetRecords` and an event source mapping give it. */
export function recordOf(
  { arn, viewType }: Pick<StreamState, 'arn' | 'viewType'>,
  number: number,
  { at, name, keys, before, after, isExpiry }: Entry,
  awsRegion: string,
  SizeBytes = sizeOf({ keys, before, after }),
): Json {
  const SequenceNumber = sequenceNumber(number);
  return {
    // Not random: a second read of a record must return the same id.
    eventID: hash('md5', arn + SequenceNumber),
    eventName: name,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion,
    ...(isExpiry ? { userIdentity: { Type: 'Service', PrincipalId: 'dynamodb.amazonaws.com' } } : {}),
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(at / 1000),
      Keys: keys,
      ...(after ? { NewImage: after } : {}),
      ...(before ? { OldImage: before } : {}),
      SequenceNumber,
      SizeBytes,
      StreamViewType: viewType,
    },
  };
}

function sizeOf({ keys, before, after }: { keys: Item; before?: Item | undefined; after?: Item | undefined }): number {
  return [keys, before, after].reduce((sum, it) => sum + (it ? db.itemSize(it) : 0), 0);
}

/** An entry for a change of an item, with the images that the stream shows. */
export function entryOf(
  { viewType, keySchema }: Pick<StreamState, 'viewType' | 'keySchema'>,
  { before, after, isExpiry }: ItemChange,
  now: number,
): Entry {
  const item = after ?? before ?? {};
  return {
    at: now,
    name: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
    keys: Object.fromEntries(keySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName] ?? {}])),
    ...(before && viewType.includes('OLD') ? { before } : {}),
    ...(after && viewType.includes('NEW') ? { after } : {}),
    ...(isExpiry ? { isExpiry } : {}),
  };
}

/** 21 digits, the first never 0: the order as text is the order as BigInts. */
export const sequenceNumber = (number: number): string => `1${String(number).padStart(20, '0')}`;

// No ARN contains '~'. The numbers are padded, because LevelDB orders keys by their text.
const streamKey = (arn: string): string => `s~${arn}`;
const entryKey = (arn: string, number: number): string => `e~${arn}~${sequenceNumber(number)}`;
const deletion = (arn: string, number: number): LevelOperation => ({ type: 'del', key: entryKey(arn, number) });
