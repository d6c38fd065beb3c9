import { type Account, Accounts, neverClosed } from '../contract/accounts.ts';
import { AccountClosed } from '../contract/common-errors.ts';
import { asksForAccount, isGuarded, type Route } from '../contract/route.ts';
import { ofKind } from '../contract/uses.ts';
import type { Caller } from './caller.ts';
import { type FunctionEnvironment, tableNameOf } from './environment.ts';
import { Failure } from './failure.ts';
import type { Runtime } from './runtime.ts';

/** What the declaration of a route says of callers whose account is closed. */
export type AccountGate = {
  /** Null where nobody is named. */
  readonly account: (() => Promise<Account>) | null;
  /**
   * Reads the account, the time, and what the handler's first step reads (null: it has none) at once. Of all that can be wrong
   * the closed account has the first word, and nothing but reading happens before it is known to be open.
   *
   * @throws a Failure `ACCOUNT_CLOSED`
   */
  readonly pass: <T>(clock: Clock, read: (() => Promise<unknown>) | null, answer: Finish<T>) => Promise<T>;
};

type Clock = () => Date | Promise<Date>;
type Finish<T> = (now: Date, found: unknown) => Promise<T>;

/** A function without tables does not know of it. */
const unasked = async (): Promise<Account> => neverClosed;

export function accountGate(
  route: Route,
  { accounts }: Runtime,
  where: FunctionEnvironment,
  caller: Caller | null,
): AccountGate {
  const isKnown = caller && accounts && ofKind(route.uses, 'table').length > 0;
  if (!isKnown) {
    return {
      account: caller && unasked,
      pass: async (clock, read, answer) => answer(...(await Promise.all([clock(), read?.()]))),
    };
  }
  const guarded = { table: tableNameOf(where, Accounts), userId: caller.userId };
  let reading: Promise<Account> | undefined;
  const account = () => {
    reading ??= accounts.read(guarded);
    return reading;
  };
  const assertOpen = async () => {
    if (asksForAccount(route) && (await account()).isClosed) throw new Failure(AccountClosed);
  };
  const pass: AccountGate['pass'] = async (clock, read, answer) => {
    const begun = Promise.all([clock(), read?.()]);
    if (read || isGuarded(route)) return answer(...(await openedFirst(assertOpen(), begun)));
    // What only reads is read beside the account.
    return openedFirst(
      assertOpen(),
      begun.then(([now]) => answer(now, undefined)),
    );
  };
  return {
    account,
    // Also around the reading: what should write there all the same is guarded, too.
    pass: (...steps) => (isGuarded(route) ? accounts.whileOpen(guarded, () => pass(...steps)) : pass(...steps)),
  };
}

/** @throws what the first one threw before what the other did */
async function openedFirst<T>(open: Promise<void>, other: Promise<T>): Promise<T> {
  const [opened, answered] = await Promise.allSettled([open, other]);
  if (opened.status === 'rejected') throw opened.reason;
  if (answered.status === 'rejected') throw answered.reason;
  return answered.value;
}
