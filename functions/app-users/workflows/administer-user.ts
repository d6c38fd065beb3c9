import { randomUUID } from 'node:crypto';
import type { Accounts } from '../../../lib/contract/accounts.ts';
import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import { AccountClosed } from '../../../lib/contract/common-errors.ts';
import { readAccount, whileOpen } from '../../../lib/runtime/accounts.ts';
import { cognito } from '../../../lib/runtime/cognito.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Handle } from '../../../lib/runtime/table-handle.ts';
import { auditPut, writeEvent } from '../../audit/exports.ts';
import { auditEvent } from '../../audit/rules.ts';
import type { AuditEvents } from '../../audit/tables.ts';
import { mailTo, noticeId } from '../../mail/exports.ts';
import { UserNotFound } from '../../users/errors.ts';
import { readProfile } from '../../users/exports.ts';
import type { User } from '../../users/rules.ts';
import type { Users } from '../../users/tables.ts';
import { userDisabled, userEnabled } from '../audit-actions.ts';
import type { Entry, Status } from '../rules/directory.ts';
import { moveEntry, readEntry } from '../stores/directory-rows.ts';
import { disable, enable } from '../stores/user-pool.ts';
import type { UserDirectory } from '../tables.ts';
import { type Directory, listUser } from './list-user.ts';

/** What administrators do to accounts of the sleep-care app. */

type AdministerRequest = {
  readonly caller: { readonly userId: string };
  readonly application: string;
  readonly requestId: string;
};

/** @throws a Failure `USER_NOT_FOUND`: nobody has the id, an erased one has, or somebody of the staff */
export async function appUser(table: Users<'get'>, userId: string): Promise<User> {
  const user = await readProfile(table, userId);
  if (user?.application !== 'sleepcare') throw new Failure(UserNotFound);
  return user;
}

export function shown(
  { userId, username, email, locale, timezone, createdAt }: User,
  entry: Pick<Entry, 'status'> | null,
) {
  return { userId, username, email, locale, timezone, createdAt, status: entry?.status ?? 'active' };
}

function eventOf(
  { caller, application, requestId }: AdministerRequest,
  said: { userId: string; action: AuditAction; before?: Record<string, unknown>; after?: Record<string, unknown> },
) {
  const { userId, action, before = null, after = null } = said;
  const event = { application, actor: caller.userId, requestId, action, subject: `user/${userId}`, before, after };
  return auditEvent({ ...event, realNow: new Date(), random: randomUUID() });
}

/**
 * For what changes no row of ours: what cannot be audited does not happen.
 *
 * @throws a Failure `UNAVAILABLE`
 */
export async function audit(
  table: AuditEvents<'put'>,
  asked: AdministerRequest,
  said: { readonly userId: string; readonly action: AuditAction },
): Promise<void> {
  await writeEvent(table, eventOf(asked, said));
}

type AdministerTables = Directory['tables'] & {
  readonly Accounts: Handle<typeof Accounts, 'get' | 'check'>;
  readonly AuditEvents: AuditEvents<'put'>;
};

/**
 * The row first, with its audit event, then the user pool, and then the notice to the user: after a crash in between the same request
 * again does the rest.
 *
 * @throws a Failure `USER_NOT_FOUND`, `UNAVAILABLE`
 */
export async function setStatus(
  asked: AdministerRequest & {
    readonly tables: AdministerTables;
    readonly queues: { readonly MailQueue: string };
    readonly userPool: { readonly id: string };
  },
  userId: string,
  status: Status,
) {
  const { tables, queues, userPool } = asked;
  const user = await appUser(tables.Users, userId);
  const entry = await openOnly(tables.Accounts, userId, () =>
    retryOnContention<Entry>(async () => {
      const before = await listUser({ tables }, userId);
      if (!before) throw new Failure(UserNotFound);
      if (before.status === status) return before;
      const after = { ...before, status, revision: before.revision + 1 };
      const items = [
        ...moveEntry(tables.UserDirectory, before, after),
        auditPut(
          tables.AuditEvents,
          eventOf(asked, {
            userId,
            action: status === 'disabled' ? userDisabled : userEnabled,
            before: { status: before.status },
            after: { status },
          }),
        ),
      ];
      return (await commit(items)) ? after : contended;
    }),
  );
  await followEntry(tables.UserDirectory, userPool.id, user, entry);
  await tellStatus(queues.MailQueue, entry);
  return shown(user, entry);
}

/** The same change has the same mail, which is sent once however often the request is repeated. */
async function tellStatus(queueUrl: string, { userId, status, revision }: Entry): Promise<void> {
  // Never disabled, so it is not enabled either.
  if (status === 'active' && revision === 1) return;
  const kind = status === 'disabled' ? 'account-disabled' : 'account-enabled';
  const mail = { kind, application: 'sleepcare', to: { userId }, locale: null, data: {} } as const;
  await mailTo(queueUrl, mail, noticeId(userId, kind, revision));
}

/** Updates the pool until it agrees with the row, by the user's `sub`: others may write the name in a profile. If others change the row in the meantime, the last one leaves the pool in the state of the row. */
async function followEntry(table: UserDirectory<'get'>, poolId: string, { userId }: User, entry: Entry): Promise<void> {
  let row: Entry | null = entry;
  while (row) {
    await (row.status === 'active' ? enable : disable)(cognito(), poolId, userId);
    const now: Entry | null = await readEntry(table, userId);
    if (now?.revision === row.revision) return;
    row = now;
  }
}

/** After a request for its deletion only the user may change an account. */
async function openOnly<T>(
  table: Handle<typeof Accounts, 'get' | 'check'>,
  userId: string,
  act: () => Promise<T>,
): Promise<T> {
  // Also where there is nothing to write: the pool would follow all the same.
  if ((await readAccount({ table, userId })).isClosed) throw new Failure(UserNotFound);
  try {
    return await whileOpen({ table, userId }, act);
  } catch (error) {
    if (error instanceof Failure && error.error === AccountClosed) throw new Failure(UserNotFound);
    throw error;
  }
}
