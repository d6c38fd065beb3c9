import { randomUUID } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { readAccount as readOpening, whileOpen } from '../../../lib/runtime/accounts.ts';
import { commit, type Items } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import { type AuditEvent, auditEvent, auditPut } from '../../audit/rules.ts';
import { endAllSessions, isSessionLeft } from '../../auth/exports.ts';
import { directoryChange } from '../../crm-users/exports.ts';
import { auditedStanding, isAdmin, type StaffAccount, unadministered } from '../rules/staff.ts';
import { onRoster, putAccount, readAccount, readAdmins } from '../stores/staff-rows.ts';
import { findAccount, groupsOf, makeSo, type Pool, signOut } from '../stores/user-pool.ts';
import type { Decision } from './decisions.ts';
import { listedAs } from './listed-as.ts';

/**
 * Changes by administrators to accounts of the staff. One transaction writes the row, the place on the roster, the directory's entry
 * and the audit event. Then the user pool is updated. The authorizer decides by the row. So after a crash in between the pool is out
 * of date, but this has no effect. A repeated request or the next change updates it, and ends the sessions that were to end.
 */

export type Place = {
  readonly client: DynamoDBDocumentClient;
  readonly tables: {
    readonly StaffAccounts: string;
    readonly StaffDirectory: string;
    readonly Accounts: string;
    readonly AuditEvents: string;
    readonly Sessions: string;
  };
  readonly pool: Pool;
  /** Whether a caller who is not in the pool has the roles of the token: the local stage makes such tokens. */
  readonly trustsTokens: boolean;
};

export type By = Pick<AuditEvent, 'application' | 'requestId'> & {
  readonly caller: { readonly userId: string; readonly roles: readonly string[] };
  readonly realNow: Date;
};

/** All changes write the roster, so they happen one after another. With this number, 50 changes at once all succeed. */
export const retries: RetryOptions = { retries: 20 };

/** `forbidden`: the caller is no longer an administrator, even if the token says so. `unknown`: no such account, or a closed one. */
export type Changed = { readonly account: StaffAccount; readonly isChanged: boolean } | 'forbidden' | 'unknown';

/** @throws a Failure `UNAVAILABLE` if all attempts meet contention, or the pool is down; in the second case the row may have changed */
export async function changeStaff(
  place: Place,
  userId: string,
  { action, decide }: Decision,
  by: By,
  options: RetryOptions = retries,
): Promise<Changed> {
  const changed = await openOnly(place, userId, () => {
    return retryOnContention<Changed>(async () => {
      const caller = await standingOf(place, by);
      if (caller !== 'admin') return caller === 'adopted' ? contended : 'forbidden';
      const stored = await readAccount(place.client, place.tables.StaffAccounts, userId);
      const before = stored ?? (await knownToPool(place.pool, userId, by.realNow));
      if (!before) return 'unknown';
      const standing = decide(before, by.realNow);
      if (!standing) return { account: before, isChanged: false };
      const account = { ...before, ...standing, ...nextRevision(before, by.realNow) };
      const items = [
        ...changeItems(place, { account, before, action, by }),
        ...(await directoryChange(place.client, place.tables.StaffDirectory, userId, listedAs(account))),
      ];
      const isDone = await commit(place.client, items);
      return isDone ? { account, isChanged: true } : contended;
    }, options);
  });
  if (typeof changed === 'string') return changed;
  const { account, isChanged } = changed;
  await followRow(place, account);
  if (account.endedAt !== null && (isChanged || (await isUnfinished(place, userId, account.endedAt)))) {
    await signOut(place.pool, userId);
    await endAllSessions(place.client, place.tables.Sessions, userId, by.realNow);
  }
  return changed;
}

/** The clocks of two functions differ by less. */
const skewSeconds = 60;

/** Whether a function died before it had ended the sessions: their rows end last, so one from before `endedAt` lives. */
async function isUnfinished({ client, tables }: Place, userId: string, endedAt: number): Promise<boolean> {
  return isSessionLeft(client, tables.Sessions, userId, new Date((endedAt + skewSeconds) * 1000));
}

type Change = {
  readonly account: StaffAccount;
  /** Null if there was no account. */
  readonly before: StaffAccount | null;
  readonly action: AuditAction;
  readonly by: By;
};

export function changeItems({ tables }: Pick<Place, 'tables'>, { account, before, action, by }: Change): Items {
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

export function nextRevision({ revision }: Pick<StaffAccount, 'revision'>, realNow: Date) {
  return { revision: revision + 1, changeId: randomUUID(), updatedAt: realNow.toISOString() };
}

/** Writes about a person only while that person's account is open. A closed account is `unknown`, like an account that does not exist. */
export async function openOnly<T>(
  { client, tables }: Pick<Place, 'client' | 'tables'>,
  userId: string,
  act: () => Promise<T>,
) {
  const account = { table: tables.Accounts, userId };
  try {
    // Checked even if nothing is written, because the pool would be updated all the same.
    if ((await readOpening(client, account)).isClosed) return 'unknown';
    return await whileOpen(account, act);
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) return 'unknown';
    throw error;
  }
}

/**
 * Whether the caller is an administrator on the roster. An administrator without a row gets one if the pool says that they are an
 * administrator. In dev the token is enough: `/_local/token` makes tokens of people who are in no pool.
 */
export async function standingOf({ client, tables, pool, trustsTokens }: Place, by: By) {
  const { userId, roles } = by.caller;
  const { StaffAccounts } = tables;
  const isOnRoster = async () => (await readAdmins(client, StaffAccounts)).has(userId);
  if (await isOnRoster()) return 'admin';
  // A first request beside this one may have written row and roster in between.
  if (await readAccount(client, StaffAccounts, userId)) return (await isOnRoster()) ? 'admin' : 'forbidden';
  const known = await knownToPool(pool, userId, by.realNow);
  const account = known ?? (trustsTokens ? unadministered({ userId, email: null, roles }, by.realNow) : null);
  if (!account || !isAdmin(account)) return 'forbidden';
  const adopted = { ...account, ...nextRevision(account, by.realNow) };
  await commit(client, [
    putAccount(tables.StaffAccounts, adopted),
    onRoster(tables.StaffAccounts, adopted, null),
    ...(await directoryChange(client, tables.StaffDirectory, userId, listedAs(adopted))),
  ]);
  return 'adopted';
}

/** The account of a person who is only in the pool; null if the pool has no such person. */
export async function knownToPool(pool: Pool, userId: string, realNow: Date): Promise<StaffAccount | null> {
  const found = await findAccount(pool, userId);
  // The pool also finds an account by its address. Only the id counts here.
  if (found?.userId !== userId) return null;
  const account = unadministered({ userId, email: found.email, roles: await groupsOf(pool, userId) }, realNow);
  return found.isEnabled ? account : { ...account, status: 'disabled' };
}

/** Updates the pool until it agrees with the row. If others change the row in the meantime, the last one leaves the pool in the state of the row. */
export async function followRow({ client, tables, pool }: Place, account: StaffAccount): Promise<void> {
  let row: StaffAccount | null = account;
  // An account that was never stored was made from the pool, so the pool is already right.
  while (row && row.revision > 0) {
    await makeSo(pool, { userId: row.userId, roles: row.roles, isEnabled: row.status !== 'disabled' });
    const now: StaffAccount | null = await readAccount(client, tables.StaffAccounts, row.userId);
    if (now?.revision === row.revision) return;
    row = now;
  }
}
