import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Route } from '../../lib/contract/route.ts';
import type { Caller } from '../../lib/runtime/caller.ts';
import { transact, unlessConflict } from '../../lib/runtime/commit.ts';
import { isContention } from '../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../lib/runtime/retry-on-contention.ts';
import { put } from '../../lib/runtime/rows.ts';
import type { AccessLog } from './data-subject.ts';
import { type AccessLogEntry, lookExpiry, lookIdAt } from './data-subject.ts';
import type { Worker } from './reads.ts';

/** Makes looks, and writes them, by themselves or in the transaction of the request's other writes. */

/** The reason why somebody's data may be shown. */
export type Ground = Pick<AccessLogEntry, 'relation' | 'siteId' | 'agreementId' | 'consentRecordId'>;

/** The looks of one request: one for each person, all with the same time. */
export function looksOf(
  { method, path }: Route,
  { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
  at: Date,
) {
  const iso = at.toISOString();
  const lookId = `${lookIdAt(iso)}${randomBytes(8).toString('hex')}`;
  return (worker: Worker, userId: string, ground: Ground): AccessLogEntry => ({
    userId,
    lookId,
    at: iso,
    by: caller.userId,
    name: worker.name,
    roles: caller.roles,
    action: `${method} ${path}`,
    ...ground,
    requestId,
    expiresAt: lookExpiry(at),
  });
}

type Carried = {
  readonly table: AccessLog<'put'>;
  readonly looks: () => Promise<readonly AccessLogEntry[]>;
  isWritten: boolean;
};

const carried = new AsyncLocalStorage<Carried>();
const carriers = new WeakSet<DynamoDBDocumentClient>();

/**
 * Every transaction that `act` writes contains the looks: the change and its log entry are stored together or not at all.
 *
 * @returns `isWritten`: whether such a transaction was committed
 */
export async function carrying<T>(
  table: AccessLog<'put'>,
  looks: () => Promise<readonly AccessLogEntry[]>,
  act: () => Promise<T>,
): Promise<{ output: T; isWritten: boolean }> {
  if (!carriers.has(table.client)) carry(table.client);
  const state: Carried = { table, looks, isWritten: false };
  const output = await carried.run(state, act);
  return { output, isWritten: state.isWritten };
}

type Write = { readonly TransactItems?: readonly Readonly<Record<string, unknown>>[] };

function carry(client: DynamoDBDocumentClient): void {
  carriers.add(client);
  client.middlewareStack.add(
    (next) => async (args) => {
      const state = carried.getStore();
      const { TransactItems } = args.input as Write;
      if (!state || !TransactItems || TransactItems.some((item) => 'Get' in item)) return next(args);
      // After the handler's own items, whose positions in the cancellation reasons stay the same.
      const items = [...TransactItems, ...(await state.looks()).map((look) => put(state.table, look).write)];
      const answer = await next({ ...args, input: { ...args.input, TransactItems: items } as typeof args.input });
      state.isWritten = true;
      return answer;
    },
    { step: 'initialize', name: 'carryLooks' },
  );
}

/**
 * Writes all looks or none, in one call. A repeated write makes the same rows. The SDK does not retry a transaction that
 * was cancelled because DynamoDB was too busy.
 *
 * @param looks at most 100
 * @throws the last cancellation where DynamoDB stays too busy
 */
export async function putLooks(
  table: AccessLog<'put'>,
  looks: readonly AccessLogEntry[],
  options?: RetryOptions,
): Promise<void> {
  let cause: unknown;
  const write = () => {
    cause = undefined;
    const written = transact(looks.map((look) => put(table, look)));
    return unlessConflict<unknown, typeof contended>(written, isContention, (error) => {
      cause = error;
      return contended;
    });
  };
  await retryOnContention(write, options).catch((error: unknown) => {
    throw cause ?? error;
  });
}
