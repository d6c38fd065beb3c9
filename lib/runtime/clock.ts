import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { Clock } from '../contract/clock.ts';
import { tableVariable } from '../contract/tables.ts';
import { readAccount, whileOpen } from './accounts.ts';
import { dynamo } from './clients.ts';
import { describeError, writeLine } from './log.ts';
import { lambda, type Runtime } from './runtime.ts';

/**
 * The business rules' time. Where the environment has the table `Clock`, its one row says how far that is from real time;
 * elsewhere it is real time, without a request. Never for authentication, limits, leases, TTL, signatures and logs.
 */

/** Less than the second within which every function has to know: a read takes some time, too. */
const keptMs = 900;
/** How long the last offset stands in while the table cannot be read; then time is real. */
const lastKnownMs = 30_000;
const readMs = 800;

/** The one row; without `offsetMs` the clock is not set. */
export const clockKey = { clockId: 'service' } as const;

/** Milliseconds from real to set time; null where the clock is not set. */
export async function readOffset(
  client: DynamoDBDocumentClient,
  table: string,
  abortSignal?: AbortSignal,
): Promise<number | null> {
  const read = new GetCommand({ TableName: table, Key: clockKey, ConsistentRead: true });
  const found = await client.send(read, { ...(abortSignal && { abortSignal }) });
  return (found.Item?.offsetMs as number | undefined) ?? null;
}

type ReadOffset = (table: string) => Promise<number | null>;

const readInTime: ReadOffset = (table) => readOffset(dynamo(), table, AbortSignal.timeout(readMs));

/**
 * Reads the offset when it is asked for the time and the last reading is no longer fresh: at most about once a second,
 * and never twice at once. It never fails: a clock that cannot be read must not stop what works without it.
 */
export function environmentClock(
  { variables, realNow, write }: Pick<Runtime, 'variables' | 'realNow' | 'write'>,
  read: ReadOffset = readInTime,
): () => Date | Promise<Date> {
  const never = Number.NEGATIVE_INFINITY;
  let last = { offsetMs: 0, readAt: never };
  let fresh = { from: never, until: never };
  let reading: Promise<void> | undefined;

  const real = () => realNow().getTime();
  const shifted = () => new Date(real() + last.offsetMs);

  async function refresh(table: string): Promise<void> {
    const from = real();
    try {
      last = { offsetMs: (await read(table)) ?? 0, readAt: from };
      fresh = { from, until: from + keptMs };
    } catch (error) {
      writeLine(write, { level: 'WARN', message: 'clock not read', error: describeError(error) }, realNow());
      if (real() - last.readAt > lastKnownMs) last = { offsetMs: 0, readAt: never };
      // From the end of the attempt, so that a table that hangs does not slow every request.
      fresh = { from, until: real() + keptMs };
    }
  }

  return () => {
    const table = variables[tableVariable(Clock)];
    if (!table) return realNow();
    const at = real();
    if (fresh.from <= at && at < fresh.until) return shifted();
    reading ??= refresh(table).finally(() => {
      reading = undefined;
    });
    return reading.then(shifted);
  };
}

/** In a function that uses tables: its business rules ask for the time, and its callers have accounts. */
export const lambdaWithClock: Runtime = {
  ...lambda,
  clock: environmentClock(lambda),
  accounts: { read: (account) => readAccount(dynamo(), account), whileOpen },
};
