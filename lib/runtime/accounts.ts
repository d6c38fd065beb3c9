import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Account, Accounts, accountIn, accountPart, guardCount, guardKey } from '../contract/accounts.ts';
import { AccountClosed } from '../contract/common-errors.ts';
import { type EndedSessions, type Endings, validEndings } from '../contract/ended-sessions.ts';
import { batchGetFrom } from './batch-get.ts';
import { Failure, isRefusedAt } from './failure.ts';
import { get } from './rows.ts';
import type { Handle } from './table-handle.ts';

/**
 * Nobody writes to a closed account. Every transaction that a function writes in a user's name contains the condition that
 * the account is open. The client adds this condition, so the stores need not know of it.
 */

/** The account that has to be open. */
export type Guarded = { readonly table: Handle<typeof Accounts, 'check'>; readonly userId: string };

const writing = new AsyncLocalStorage<Guarded>();

/**
 * Every transaction that `act` writes fails with `ACCOUNT_CLOSED` if the account is closed at its commit. Writes outside of
 * transactions are not guarded: declare such tables with `append` or `replace`, which allow only transactions.
 */
export function whileOpen<T>(account: Guarded, act: () => Promise<T>): Promise<T> {
  return writing.run(account, act);
}

type OwnAccount = { readonly table: Handle<typeof Accounts, 'get'>; readonly userId: string };

/** Strongly consistent: once an answer has said that the account is closed, every read finds it closed. */
export async function readAccount({ table, userId }: OwnAccount): Promise<Account> {
  return accountIn((await get(table, { userId, part: accountPart })) ?? {});
}

/** Where the rows are that say whether a call in the user's name may be answered. */
export type CallerRows = {
  readonly table: Handle<typeof Accounts, 'batchGet'>;
  readonly endings: Handle<typeof EndedSessions, 'batchGet'>;
  readonly userId: string;
};

/** What every function that is called in somebody's name reads of them. */
export type CallerState = { readonly account: Account; readonly endings: Endings };

/**
 * In one call: once an answer has said that the account is closed, or that a session has ended, every read finds it.
 *
 * @throws a Failure `UNAVAILABLE` where a row cannot be read
 */
export async function readCaller(rows: CallerRows): Promise<CallerState> {
  const { table, endings, userId } = rows;
  const [[account = {}], [ended = {}]] = await batchGetFrom([
    [table, [{ userId, part: accountPart }]],
    [endings, [{ userId }]],
  ]);
  return { account: accountIn(account), endings: validEndings(ended, new Date()) };
}

type Write = { readonly TransactItems?: readonly Readonly<Record<string, unknown>>[] };

/** Adds the condition to the transactions of `whileOpen`. The SDK's own retries of a call repeat the same condition. */
export function guarded(client: DynamoDBDocumentClient): DynamoDBDocumentClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      const account = writing.getStore();
      const { TransactItems } = args.input as Write;
      if (!account || !TransactItems || TransactItems.some((item) => 'Get' in item)) return next(args);
      const items = [...TransactItems, { ConditionCheck: isOpen(account) }];
      try {
        return await next({ ...args, input: { ...args.input, TransactItems: items } as typeof args.input });
      } catch (error) {
        throw isRefusedAt(error, items.length - 1) ? new Failure(AccountClosed) : error;
      }
    },
    { step: 'initialize', name: 'whileOpen' },
  );
  return client;
}

function isOpen({ table, userId }: Guarded) {
  const { partitionKey } = Accounts;
  const Key = guardKey(userId, randomInt(guardCount));
  return { TableName: table.name, Key, ConditionExpression: `attribute_not_exists(${partitionKey})` };
}
