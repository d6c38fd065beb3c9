import { createHash } from 'node:crypto';
import { check, db, type Json, type LevelOperation } from './dynalite.ts';
import { failure } from './failures.ts';
import { orderedText, read, writeOne } from './items.ts';
import { itemKey, type Journal, memory, openJournal, type Receipt, receiptKey } from './journal.ts';
import { isStreamAction, streamCall } from './stream-calls.ts';
import { Streams } from './streams.ts';
import { tableCall } from './table-calls.ts';
import { expiredIn } from './time-to-live.ts';
import { checkTransaction, consumed, evaluateTransaction, TOKEN_MS, transactGet } from './transactions.ts';
import { run, type StoredTables, View, type Write } from './view.ts';

export type Engine = {
  /** Answers one call; throws a Failure. `input` is the parsed body. */
  execute(action: string, input: Json): Promise<Json>;
  /**
   * Deletes expired rows, as the time to live does.
   *
   * @param mayExpire whether rows of this table may be deleted
   * @returns the number of deleted rows
   */
  expire(now: number, mayExpire: (tableName: string) => boolean): Promise<number>;
  /** Calls `listener` for each stream that has new records. Returns a function that stops the calls. */
  onCommit(listener: (streamArn: string) => void): () => void;
  /** The position of the newest record in the table's stream; undefined if no stream is open. */
  newestRecord(tableName: string): string | undefined;
  close(): Promise<void>;
};
export type EngineOptions = {
  dataDir?: string | undefined;
  region?: string | undefined;
  accountId?: string | undefined;
};

const READS = new Set(['GetItem', 'Query', 'Scan', 'BatchGetItem']);
const WRITES = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/**
 * DynamoDB in this process. Each call reads, decides and applies its writes in one turn of the event loop, so calls are
 * serializable without a lock: where AWS would answer TransactionConflict, one simply comes after the other.
 */
export async function openEngine({
  dataDir,
  region = 'us-east-1',
  accountId = '000000000000',
}: EngineOptions): Promise<Engine> {
  const tables: StoredTables = new Map();
  const receipts = new Map<string, Receipt>();
  const streams = new Streams();
  const journal: Journal = dataDir ? await openJournal(dataDir, { tables, receipts, streams }) : memory;

  function commit(writes: Write[], more: LevelOperation[] = []): void {
    const operations: LevelOperation[] = [...more];
    const now = Date.now();
    for (const write of writes) {
      const { table, key, item } = write;
      if (table.stream) operations.push(...streams.record(write, now));
      table.apply(key, item);
      const at = itemKey(table.description.TableName, key);
      operations.push(item ? { type: 'put', key: at, value: item } : { type: 'del', key: at });
    }
    if (operations.length > 0) journal.append(operations);
  }

  function transactWrite(input: Json): Json {
    const transaction = checkTransaction(input);
    const { token } = transaction;
    const dropped = token ? dropExpired(receipts, Date.now()) : [];
    const text = token ? orderedText(input.TransactItems) : '';
    const hash = createHash('sha256').update(text).digest('base64');
    const receipt = token ? receipts.get(token) : undefined;
    if (receipt && receipt.hash !== hash) throw failure('IdempotentParameterMismatchException', '');
    if (receipt) return repeated(input, transaction.actions);

    const { writes, located } = evaluateTransaction(transaction, tables);
    const after = new Map(writes.map((write) => [write.table.description.TableName + write.key, write.item]));
    const output = consumed(input, located, 'WriteCapacityUnits', ({ table, key }) => {
      const old = db.capacityUnits(table.items.get(key), false, true);
      return 2 * Math.max(old, db.capacityUnits(after.get(table.description.TableName + key), false, true));
    });
    if (!token) commit(writes);
    else {
      const fresh: Receipt = { hash, until: Date.now() + TOKEN_MS };
      receipts.set(token, fresh);
      commit(writes, [...dropped, { type: 'put', key: receiptKey(token), value: fresh }]);
    }
    return output;
  }

  async function batchWrite(input: Json): Promise<Json> {
    const view = new View(tables);
    const output = await run('BatchWriteItem', check('BatchWriteItem', input), view);
    commit(view.writes);
    return output;
  }

  async function answer(action: string, given: Json): Promise<Json> {
    const input = byName(given);
    if (READS.has(action)) return read(action, input, tables);
    if (action === 'TransactWriteItems') return transactWrite(input);
    if (action === 'TransactGetItems') return transactGet(input, tables);
    if (action === 'BatchWriteItem') return batchWrite(input);
    if (WRITES.has(action)) {
      const { output, writes } = writeOne(action, input, tables);
      commit(writes);
      return output;
    }
    if (isStreamAction(action)) {
      const { output, operations } = streamCall(action, input, streams, region);
      if (operations.length > 0) journal.append(operations);
      return output;
    }
    const arnPrefix = `arn:aws:dynamodb:${region}:${accountId}:table/`;
    return tableCall(action, input, { tables, streams, journal, arnPrefix });
  }

  return {
    async execute(action, input) {
      try {
        return await answer(action, input);
      } finally {
        // Neither an answer nor a refusal may depend on a write that a crash could still undo.
        await journal.settled();
      }
    },
    async expire(now, mayExpire) {
      const writes = expiredIn(tables, now, mayExpire);
      commit(writes);
      await journal.settled();
      return writes.length;
    },
    onCommit: (listener) => streams.listen(listener),
    newestRecord: (tableName) => {
      const log = tables.get(tableName)?.stream;
      return log && `${log.state.arn} ${log.next - 1}`;
    },
    close: () => journal.close(),
  };
}

/** A table may be named by its ARN. */
function byName(input: Json): Json {
  const { TableName } = input;
  if (typeof TableName !== 'string' || !TableName.startsWith('arn:')) return input;
  return { ...input, TableName: TableName.slice(TableName.indexOf(':table/') + 7) };
}

function dropExpired(receipts: Map<string, Receipt>, now: number): LevelOperation[] {
  const dropped: LevelOperation[] = [];
  for (const [token, { until }] of receipts) {
    if (until > now) break;
    receipts.delete(token);
    dropped.push({ type: 'del', key: receiptKey(token) });
  }
  return dropped;
}

/** The success for a repeated token; it consumes only read units. */
function repeated(input: Json, actions: Array<{ data: { TableName: string } }>): Json {
  const wanted = input.ReturnConsumedCapacity;
  if (wanted !== 'TOTAL' && wanted !== 'INDEXES') return {};
  const counts = new Map<string, number>();
  for (const { data } of actions) counts.set(data.TableName, (counts.get(data.TableName) ?? 0) + 1);
  const ConsumedCapacity = [...counts].map(([TableName, n]) => ({ TableName, CapacityUnits: n, ReadCapacityUnits: n }));
  return { ConsumedCapacity };
}
