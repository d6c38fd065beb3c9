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
  /** Since when the stream is disabled, or its table is gone. */
  closedAt?: number;
  /** The number of the oldest record that is kept, or else of the next one. */
  first: number;
};

/** A record as it is kept: only the images that the stream shows. */
export type Entry = {
  at: number;
  name: 'INSERT' | 'MODIFY' | 'REMOVE';
  keys: Item;
  before?: Item;
  after?: Item;
  isExpiry?: true;
};
/** `isExpiry`: it was no caller's, but the time to live's. */
export type ItemChange = { before: Item | undefined; after: Item | undefined; isExpiry?: boolean };

/** The number that the shard opens with; its first record has the next. */
export const OPENING = 1;
const RETENTION_MS = 24 * 60 * 60 * 1000;
/** More than a stage writes in a day, less than its memory holds. */
const MAX_RECORDS = 1_000_000;
const TRIM_EVERY_MS = 60 * 1000;
const PAGE_BYTES = 1024 * 1024;

/**
 * One stream: a log of one shard. Amazon's have a shard for each partition of the table, which keep the order of each
 * item only; here the order is that of the commits over all items.
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

  /** Notes a change of an item that really changes it. */
  append({ before, after, isExpiry }: ItemChange, now: number): LevelOperation[] {
    const { viewType, keySchema } = this.state;
    const item = after ?? before ?? {};
    const entry: Entry = {
      at: now,
      name: !before ? 'INSERT' : after ? 'MODIFY' : 'REMOVE',
      keys: Object.fromEntries(keySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName] ?? {}])),
      ...(before && viewType.includes('OLD') ? { before } : {}),
      ...(after && viewType.includes('NEW') ? { after } : {}),
      ...(isExpiry ? { isExpiry } : {}),
    };
    const trimmed = this.trim(now);
    const key = entryKey(this.state.arn, this.next);
    this.#entries.push(entry);
    return [...trimmed, { type: 'put', key, value: entry }];
  }

  /** Takes back what a journal kept; in order. */
  restore(entry: Entry): void {
    this.#entries.push(entry);
  }

  /** Forgets what is older than a day. It looks once a minute, and a record may stay that much longer. */
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

  /** The records from a number on: at most `limit` of them, and no more than one above a megabyte. */
  read(from: number, limit: number, region: string): Json[] {
    const records: Json[] = [];
    let bytes = 0;
    const start = from - this.state.first;
    for (const [i, entry] of this.#entries.slice(start, start + limit).entries()) {
      const SizeBytes = [entry.keys, entry.before, entry.after].reduce(
        (sum, it) => sum + (it ? db.itemSize(it) : 0),
        0,
      );
      bytes += SizeBytes;
      if (bytes > PAGE_BYTES && records.length > 0) break;
      records.push(this.#record(from + i, entry, SizeBytes, region));
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

  #record(
    number: number,
    { at, name, keys, before, after, isExpiry }: Entry,
    SizeBytes: number,
    awsRegion: string,
  ): Json {
    const SequenceNumber = sequenceNumber(number);
    return {
      // Not random: whoever reads a record again must find the same.
      eventID: hash('md5', this.state.arn + SequenceNumber),
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
        StreamViewType: this.state.viewType,
      },
    };
  }
}

/** Of 21 digits and never beginning with 0, so that they order as text and as BigInts alike. */
export const sequenceNumber = (number: number): string => `1${String(number).padStart(20, '0')}`;

// '~' is in no ARN. The numbers are padded: LevelDB has its keys in the order of their text.
export const streamKey = (arn: string): string => `s~${arn}`;
const entryKey = (arn: string, number: number): string => `e~${arn}~${sequenceNumber(number)}`;
const deletion = (arn: string, number: number): LevelOperation => ({ type: 'del', key: entryKey(arn, number) });
