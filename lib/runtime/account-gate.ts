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
  /** @throws a Failure `ACCOUNT_CLOSED` */
  readonly pass: <T>(answer: () => Promise<T>) => Promise<T>;
};

/** A function without tables does not know of it. */
const unasked = async (): Promise<Account> => neverClosed;

export function accountGate(
  route: Route,
  { accounts }: Runtime,
  where: FunctionEnvironment,
  caller: Caller | null,
): AccountGate {
  if (!caller) return { account: null, pass: (answer) => answer() };
  if (!accounts || ofKind(route.uses, 'table').length === 0) return { account: unasked, pass: (answer) => answer() };
  const guarded = { table: tableNameOf(where, Accounts), userId: caller.userId };
  let reading: Promise<Account> | undefined;
  const account = () => {
    reading ??= accounts.read(guarded);
    return reading;
  };
  const assertOpen = async () => {
    if ((await account()).isClosed) throw new Failure(AccountClosed);
  };
  return {
    account,
    async pass(answer) {
      if (isGuarded(route)) {
        if (asksForAccount(route)) await assertOpen();
        return accounts.whileOpen(guarded, answer);
      }
      if (!asksForAccount(route)) return answer();
      // What only reads is read beside the account; that one has the first word.
      const [opened, answered] = await Promise.allSettled([assertOpen(), answer()]);
      if (opened.status === 'rejected') throw opened.reason;
      if (answered.status === 'rejected') throw answered.reason;
      return answered.value;
    },
  };
}
