import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { clock as clockTable } from '../contract/clock.ts';
import { readCaller, whileOpen } from './accounts.ts';
import { dynamo, lambdaWithTables, tableIfNamed } from './clients.ts';
import { clockMs, firstClockMs, hastyLimits } from './limits.ts';
import { describeError, writeLine } from './log.ts';
import { lambda, type Runtime } from './runtime.ts';
import type { TableHandle } from './table-handle.ts';

/**
 * The business rules' time. Where the environment has the table `Clock`, its one row holds the offset from real time.
 * Elsewhere it is real time, without a request. Never used for authentication, limits, leases, TTL, signatures and logs.
 */

/** Every function has to know a new offset within a second. This is less, because a read takes some time, too. */
const keptMs = 900;
/** How long the last offset is used while the table cannot be read. After that, time is real. */
const lastKnownMs = 30_000;

/** The one row; without `offsetMs` the clock is not set. */
export const clockKey = { clockId: 'service' } as const;

/** Milliseconds from real to set time; null where the clock is not set. */
export async function readOffset(table: TableHandle, abortSignal?: AbortSignal): Promise<number | null> {
  const read = new GetCommand({ TableName: table.name, Key: clockKey, ConsistentRead: true });
  const found = await table.client.send(read, { ...(abortSignal && { abortSignal }) });
  return (found.Item?.offsetMs as number | undefined) ?? null;
}

type ReadOffset = (table: TableHandle, limitMs: number) => Promise<number | null>;

const readInTime: ReadOffset = (table, limitMs) => readOffset(table, AbortSignal.timeout(limitMs));

/**
 * Reads the offset when the time is needed and the last reading is too old: about once a second at most, and never twice at
 * once. It never fails: routes that work without a set clock must go on when the clock cannot be read.
 */
export function environmentClock(
  { variables, realNow, write }: Pick<Runtime, 'variables' | 'realNow' | 'write'>,
  read: ReadOffset = readInTime,
): () => Date | Promise<Date> {
  const never = Number.NEGATIVE_INFINITY;
  let last = { offsetMs: 0, readAt: never };
  let fresh = { from: never, until: never };
  let reading: Promise<void> | undefined;
  let limitMs: number = firstClockMs;

  const real = () => realNow().getTime();
  const shifted = () => new Date(real() + last.offsetMs);

  async function refresh(table: TableHandle): Promise<void> {
    const from = real();
    try {
      last = { offsetMs: (await read(table, limitMs)) ?? 0, readAt: from };
      fresh = { from, until: from + keptMs };
    } catch (error) {
      writeLine(write, { level: 'WARN', message: 'clock not read', error: describeError(error) }, realNow());
      if (real() - last.readAt > lastKnownMs) last = { offsetMs: 0, readAt: never };
      // Counted from the end of the attempt, so that a hanging table does not slow every request.
      fresh = { from, until: real() + keptMs };
    }
    limitMs = clockMs;
  }

  return () => {
    const table = tableIfNamed(variables, clockTable);
    if (!table) return realNow();
    const at = real();
    if (fresh.from <= at && at < fresh.until) return shifted();
    reading ??= refresh(table).finally(() => {
      reading = undefined;
    });
    return reading.then(shifted);
  };
}

/** For a function that uses tables, in a product without the table `Accounts`: nobody's account can be closed. @public */
export const lambdaWithoutAccounts: Runtime = { ...lambdaWithTables, clock: environmentClock(lambda) };

/** For a function that uses tables: its business rules need the time, and its callers have accounts. */
export const lambdaWithClock: Runtime = {
  ...lambdaWithoutAccounts,
  accounts: { read: readCaller, whileOpen },
};

/** For a `hasty` route. @public */
export const lambdaInHaste: Runtime = { ...lambdaWithClock, dynamo: () => dynamo(hastyLimits) };
