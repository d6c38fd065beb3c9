import { equal } from './conditions.ts';
import type { Json, LevelOperation } from './dynalite.ts';
import { invalid } from './failures.ts';
import { type Entry, OPENING, StreamLog, type StreamState, type ViewType } from './stream-log.ts';
import type { Table } from './table.ts';
import type { Write } from './view.ts';

type Listener = (streamArn: string) => void;
const VIEW_TYPES: readonly unknown[] = ['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES'];

/**
 * All streams: the tables' open streams, and closed ones. A closed stream can be read for a day, even without its
 * table.
 */
export class Streams {
  readonly #logs = new Map<string, StreamLog>();
  readonly #listeners = new Set<Listener>();
  readonly #changed = new Set<string>();

  /** Records one write of a commit before the table applies it. Returns what must be stored in the same batch. */
  record({ table, key, item, isExpiry = false }: Write, now: number): LevelOperation[] {
    const log = table.stream;
    const before = table.items.get(key);
    if (!log || (!before && !item) || (before && item && equal({ M: before }, { M: item }))) return [];
    this.#announce(log.state.arn);
    return log.append({ before, after: item, isExpiry }, now);
  }

  /** Applies the StreamSpecification of a new table. */
  create(table: Table, wanted: ViewType | 'none', now: number): LevelOperation[] {
    return wanted === 'none' ? [] : this.#open(table, wanted, now);
  }

  /** Applies the StreamSpecification of an UpdateTable. */
  update(table: Table, wanted: ViewType | 'none', now: number): LevelOperation[] {
    if (wanted === 'none' && !table.stream) throw invalid('Table has no stream to disable');
    if (wanted !== 'none' && table.stream) throw invalid('Table already has an enabled stream');
    return wanted === 'none' ? this.close(table, now) : this.#open(table, wanted, now);
  }

  close(table: Table, now: number): LevelOperation[] {
    const log = table.stream;
    if (!log) return [];
    log.state.closedAt = now;
    delete table.stream;
    delete table.description.StreamSpecification;
    return [log.stored()];
  }

  /** Drops records and closed streams that are older than a day. */
  trim(now: number): LevelOperation[] {
    return [...this.#logs.values()].flatMap((log) => {
      if (!log.isGone(now)) return log.trim(now);
      this.#logs.delete(log.state.arn);
      return log.removal();
    });
  }

  find(arn: unknown): StreamLog | undefined {
    return this.#logs.get(String(arn));
  }

  all(): StreamLog[] {
    return [...this.#logs.values()].sort((a, b) => (a.state.arn < b.state.arn ? -1 : 1));
  }

  /** Restores a stream from the journal. */
  restore(state: StreamState, entries: Entry[], table: Table | undefined): void {
    const log = new StreamLog(state);
    for (const entry of entries) log.restore(entry);
    this.#logs.set(state.arn, log);
    if (table && state.closedAt === undefined) table.stream = log;
  }

  /** @returns a function that stops the calls */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #open(table: Table, viewType: ViewType, now: number): LevelOperation[] {
    const { TableName: tableName, TableArn, KeySchema: keySchema } = table.description;
    // A label is a time. Two streams of a table in one millisecond still need two labels.
    let createdAt = now;
    while (this.#logs.has(streamArn(TableArn, createdAt))) createdAt++;
    const [arn, label] = [streamArn(TableArn, createdAt), labelOf(createdAt)];
    const log = new StreamLog({ arn, label, tableName, viewType, keySchema, createdAt, first: OPENING + 1 });
    this.#logs.set(arn, log);
    table.stream = log;
    Object.assign(table.description, {
      StreamSpecification: { StreamEnabled: true, StreamViewType: viewType },
      LatestStreamLabel: label,
      LatestStreamArn: arn,
    });
    return [log.stored()];
  }

  /** Calls the listeners once for all records of a burst, and never during the write itself. */
  #announce(arn: string): void {
    if (this.#listeners.size === 0) return;
    const isTold = this.#changed.size > 0;
    this.#changed.add(arn);
    if (isTold) return;
    setImmediate(() => {
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const listener of this.#listeners) for (const one of changed) listener(one);
    });
  }
}

const labelOf = (time: number): string => new Date(time).toISOString().slice(0, -1);
const streamArn = (tableArn: string, time: number): string => `${tableArn}/stream/${labelOf(time)}`;

/**
 * The stream that a request asks for; undefined if it has no StreamSpecification. An UpdateTable changes one thing at a
 * time.
 */
export function wantedStream({
  StreamSpecification,
  GlobalSecondaryIndexUpdates,
}: Json): ViewType | 'none' | undefined {
  if (StreamSpecification == null) return undefined;
  if (GlobalSecondaryIndexUpdates != null) throw invalid('Streams and global indexes cannot be changed at once');
  const { StreamEnabled, StreamViewType } = StreamSpecification as Json;
  if (StreamEnabled == null) throw invalid('Stream StreamEnabled was null');
  if (!StreamEnabled && StreamViewType != null) {
    throw invalid('Invalid StreamViewType: Stream StreamEnabled was false but a StreamViewType was present.');
  }
  if (!StreamEnabled) return 'none';
  if (StreamViewType == null) {
    throw invalid('Invalid StreamViewType: Stream ViewType must not be null or empty when enabling streams.');
  }
  if (!VIEW_TYPES.includes(StreamViewType)) throw invalid(`Invalid StreamViewType: ${StreamViewType}`);
  return StreamViewType as ViewType;
}
