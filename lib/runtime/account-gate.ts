import { type Account, Accounts, neverClosed } from '../contract/accounts.ts';
import { AccountClosed, Unauthenticated } from '../contract/common-errors.ts';
import { EndedSessions, isEnded } from '../contract/ended-sessions.ts';
import { asksForAccount, isGuarded, type Route } from '../contract/route.ts';
import { tableVariable } from '../contract/tables.ts';
import { hasEffects } from '../contract/uses.ts';
import type { CallerState } from './accounts.ts';
import type { Caller } from './caller.ts';
import { type FunctionEnvironment, tableNameOf } from './environment.ts';
import { Failure } from './failure.ts';
import type { Runtime } from './runtime.ts';
import { handlesOf } from './table-handle.ts';

/** What a route's declaration defines for callers whose account is closed. A session that has ended is refused on every route. */
export type AccountGate = {
  /** Null where there is no caller. */
  readonly account: (() => Promise<Account>) | null;
  /**
   * Reads the caller's rows, the time, and the handler's first step (null: it has none) at once. A session that has ended and
   * a closed account are reported before any other error. Until both are known to be open, the handler only reads.
   *
   * @throws a Failure `UNAUTHENTICATED` or `ACCOUNT_CLOSED`
   */
  readonly pass: <T>(clock: Clock, prefetch: (() => Promise<unknown>) | null, respond: Respond<T>) => Promise<T>;
};

type Clock = () => Date | Promise<Date>;
type Respond<T> = (now: Date, found: unknown) => Promise<T>;

/** Some products have no accounts. */
const unasked = async (): Promise<Account> => neverClosed;

export function accountGate(
  route: Route,
  { accounts, dynamo }: Runtime,
  where: FunctionEnvironment,
  caller: Caller | null,
): AccountGate {
  // The stack names the table wherever the product has accounts: without the gate a closed account would go on.
  if (caller && !accounts && where.variables[tableVariable(Accounts)]) throw new Error('the runtime reads no accounts');
  if (!caller || !accounts) {
    return {
      account: caller && unasked,
      pass: async (clock, prefetch, respond) => respond(...(await Promise.all([clock(), prefetch?.()]))),
    };
  }
  const tables = handlesOf([Accounts, EndedSessions], (table) => tableNameOf(where, table), dynamo);
  const guarded = { table: tables.Accounts, userId: caller.userId };
  const rows = { ...guarded, endings: tables.EndedSessions };
  let reading: Promise<CallerState> | undefined;
  const state = () => {
    reading ??= accounts.read(rows);
    return reading;
  };
  const account = async () => (await state()).account;
  const assertOpen = async () => {
    const { account, endings } = await state();
    if (isEnded(endings, caller)) throw new Failure(Unauthenticated);
    if (asksForAccount(route) && account.isClosed) throw new Failure(AccountClosed);
  };
  const pass: AccountGate['pass'] = async (clock, prefetch, respond) => {
    const begun = Promise.all([clock(), prefetch?.()]);
    if (prefetch || hasEffects(route.uses)) return respond(...(await openedFirst(assertOpen(), begun)));
    // A handler that only reads runs while the caller's rows are read.
    return openedFirst(
      assertOpen(),
      begun.then(([now]) => respond(now, undefined)),
    );
  };
  return {
    account,
    // The reading is wrapped, too: if it should write after all, that write is guarded as well.
    pass: (...steps) => (isGuarded(route) ? accounts.whileOpen(guarded, () => pass(...steps)) : pass(...steps)),
  };
}

/** @throws the error of the first before the error of the other */
async function openedFirst<T>(open: Promise<void>, other: Promise<T>): Promise<T> {
  const [opened, answered] = await Promise.allSettled([open, other]);
  if (opened.status === 'rejected') throw opened.reason;
  if (answered.status === 'rejected') throw answered.reason;
  return answered.value;
}
