import { randomUUID } from 'node:crypto';
import type { Accounts } from '../../../lib/contract/accounts.ts';
import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { isTime } from '../../../lib/contract/instant.ts';
import type { StaffAccount, StaffAccounts } from '../../../lib/contract/staff-accounts.ts';
import { readAccount as readOpening, whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { auditPut } from '../../audit/exports.ts';
import { type AuditEvent, auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { type EndingTables, endAllSessions } from '../../auth/exports.ts';
import { directoryChange } from '../../crm-users/exports.ts';
import type { StaffDirectory } from '../../crm-users/tables.ts';
import { auditedStanding, unadministered } from '../rules/staff.ts';
import { onRoster, putAccount, readAccount, readAdmins, sessionsHaveEnded } from '../stores/staff-rows.ts';
import { findAccount, makeSo, type Pool, signOut } from '../stores/user-pool.ts';
import type { Decision } from './decisions.ts';
import { listedAs } from './listed-as.ts';

/**
 * Changes by administrators to accounts of the staff. One transaction writes the row, the place on the roster, the directory's entry
 * and the audit event. Then the user pool is updated. The authorizer decides by the row. So after a crash in between the pool is out
 * of date, but this has no effect. A repeated request or the next change updates it, and ends the sessions that were to end.
 */

/** What each change writes, and what it is decided by. */
export type ChangeTables = {
  readonly StaffAccounts: Handle<typeof StaffAccounts, 'get' | 'put' | 'update'>;
  readonly StaffDirectory: StaffDirectory<'get' | 'put' | 'remove'>;
  readonly Accounts: Handle<typeof Accounts, 'get' | 'check'>;
  readonly AuditEvents: AuditEvents<'put'>;
};

export type ChangeDependencies = { readonly tables: ChangeTables & EndingTables; readonly pool: Pool };

export type By = Pick<AuditEvent, 'application' | 'requestId'> & {
  readonly caller: { readonly userId: string };
  readonly realNow: Date;
};

/** All changes write the roster, so they happen one after another. With this number, 50 changes at once all succeed. */
export const retries: RetryOptions = { retries: 20 };

/** `forbidden`: the caller is no longer an administrator, even if the token says so. `unknown`: no such account, or a closed one. */
export type Changed = { readonly account: StaffAccount; readonly isChanged: boolean } | 'forbidden' | 'unknown';

/** @throws a Failure `UNAVAILABLE` if all attempts meet contention, or the pool is down; in the second case the row may have changed */
export async function changeStaff(
  deps: ChangeDependencies,
  userId: string,
  { action, decide }: Decision,
  by: By,
  options: RetryOptions = retries,
): Promise<Changed> {
  const changed = await openOnly(deps, userId, () => {
    return retryOnContention<Changed>(async () => {
      if (!(await isAdministrator(deps, by))) return 'forbidden';
      const stored = await readAccount(deps.tables.StaffAccounts, userId);
      const before = stored ?? (await knownToPool(deps.pool, userId, by.realNow));
      if (!before) return 'unknown';
      const standing = decide(before, by.realNow);
      if (!standing) return { account: before, isChanged: false };
      const next = nextRevision(before, by.realNow);
      const invited = standing.isReset && { invitation: { id: next.changeId, at: next.updatedAt } };
      const account = { ...before, ...standing, ...next, ...invited };
      const items = [
        ...changeItems(deps, { account, before, action, by }),
        ...(await directoryChange(deps.tables.StaffDirectory, userId, listedAs(account))),
      ];
      const isDone = await commit(items);
      return isDone ? { account, isChanged: true } : contended;
    }, options);
  });
  if (typeof changed === 'string') return changed;
  const { account } = changed;
  await followRow(deps, account);
  // Also what another function left unfinished.
  if (account.isEnding) {
    await signOut(deps.pool, userId);
    await endAllSessions(deps.tables, userId, new Date());
    await commit([sessionsHaveEnded(deps.tables.StaffAccounts, account)]);
  }
  return changed;
}

type Change = {
  readonly account: StaffAccount;
  /** Null if there was no account. */
  readonly before: StaffAccount | null;
  readonly action: AuditAction;
  readonly by: By;
};

type ItemTables = {
  readonly StaffAccounts: Handle<typeof StaffAccounts, 'put' | 'update'>;
  readonly AuditEvents: AuditEvents<'put'>;
};

export function changeItems(
  { tables }: { readonly tables: ItemTables },
  { account, before, action, by }: Change,
): Items {
  const { caller, ...occasion } = by;
  const event = auditEvent({
    ...occasion,
    actor: caller.userId,
    action,
    subject: `staff/${account.userId}`,
    before: before && auditedStanding(before),
    after: auditedStanding(account),
    random: randomUUID(),
  });
  return [
    putAccount(tables.StaffAccounts, account),
    onRoster(tables.StaffAccounts, account, caller.userId),
    auditPut(tables.AuditEvents, event),
  ];
}

/**
 * Its time is later than that of the revision before, also if a clock goes back: so the mail of the latest invitation has the latest time.
 * What is no time, which others may write, counts as none.
 */
export function nextRevision(
  { revision, updatedAt }: Pick<StaffAccount, 'revision'> & Partial<Pick<StaffAccount, 'updatedAt'>>,
  realNow: Date,
) {
  const earliest = revision > 0 && isTime(updatedAt) ? Date.parse(updatedAt) + 1 : 0;
  const at = new Date(Math.max(realNow.getTime(), earliest));
  return { revision: revision + 1, changeId: randomUUID(), updatedAt: at.toISOString() };
}

/** Writes about a person only while that person's account is open. A closed account is `unknown`, like an account that does not exist. */
export async function openOnly<T>(
  { tables }: { readonly tables: Pick<ChangeTables, 'Accounts'> },
  userId: string,
  act: () => Promise<T>,
) {
  const account = { table: tables.Accounts, userId };
  try {
    // Checked even if nothing is written, because the pool would be updated all the same.
    if ((await readOpening(account)).isClosed) return 'unknown';
    return await whileOpen(account, act);
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return 'unknown';
    throw error;
  }
}

type ReadDependencies = { readonly tables: { readonly StaffAccounts: Handle<typeof StaffAccounts, 'get'> } };

/** Whether the caller is an administrator: the roster says so, and neither the token nor the pool. */
export async function isAdministrator({ tables }: ReadDependencies, { caller }: By) {
  return (await readAdmins(tables.StaffAccounts)).has(caller.userId);
}

/** The account of a person who is only in the pool, without any role; null if the pool has no such person. */
export async function knownToPool(pool: Pool, userId: string, realNow: Date): Promise<StaffAccount | null> {
  const found = await findAccount(pool, userId);
  // The pool also finds an account by its address. Only the id counts here.
  if (found?.userId !== userId) return null;
  const account = unadministered({ userId, email: found.email, roles: [] }, realNow);
  return found.isEnabled ? account : { ...account, status: 'disabled' };
}

/** Updates the pool until it agrees with the row. If others change the row in the meantime, the last one leaves the pool in the state of the row. */
export async function followRow(
  { tables, pool }: ReadDependencies & Pick<ChangeDependencies, 'pool'>,
  account: StaffAccount,
): Promise<void> {
  let row: StaffAccount | null = account;
  // An account that was never stored was made from the pool, so the pool is already right.
  while (row && row.revision > 0) {
    await makeSo(pool, { userId: row.userId, isEnabled: row.status !== 'disabled' });
    const now: StaffAccount | null = await readAccount(tables.StaffAccounts, row.userId);
    if (now?.revision === row.revision) return;
    row = now;
  }
}
