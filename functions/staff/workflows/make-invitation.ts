import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Staff } from '../../access/data-subject.ts';
import { readPost, readSite, workAtSite } from '../../crm-sites/exports.ts';
import type { SiteStaff, Sites } from '../../crm-sites/tables.ts';
import { putEntry, putStaffName, readEntry } from '../../crm-users/exports.ts';
import { changedEntry } from '../../crm-users/rules.ts';
import { recall, rememberedIn } from '../../idempotency/exports.ts';
import type { Once } from '../../idempotency/rules.ts';
import type { IdempotencyKeys } from '../../idempotency/tables.ts';
import { staffInvited } from '../audit-actions.ts';
import { readAccount } from '../stores/staff-rows.ts';
import { createAccount, findAccount } from '../stores/user-pool.ts';
import {
  type By,
  type ChangeDependencies,
  type ChangeTables,
  changeItems,
  followRow,
  isAdministrator,
  nextRevision,
  openOnly,
  retries,
} from './change-staff.ts';
import { listedAs } from './listed-as.ts';

export type InviteDependencies = Pick<ChangeDependencies, 'pool'> & {
  readonly tables: ChangeTables & {
    readonly Sites: Sites<'get' | 'check'>;
    readonly Staff: Staff<'get' | 'put'>;
    readonly SiteStaff: SiteStaff<'put'>;
    readonly IdempotencyKeys: IdempotencyKeys<'get' | 'put'>;
  };
};

export type Invitation = {
  readonly email: string;
  readonly name: string;
  readonly roles: readonly string[];
  /** The site where the person works; null if there is none yet. */
  readonly siteId: string | null;
  /** Of the mails. Null: English. */
  readonly locale: string | null;
  readonly now: Date;
};

/** `exists`: the address already had an account. */
export type Invited = StaffAccount | 'forbidden' | 'no-site' | 'site-closed' | { readonly exists: string };

/**
 * Creates the pool's user first, because the pool gives the id. This user has no password. So after a crash nobody can sign in
 * with it, and the next invitation to the address continues with it. Then one transaction writes the row and everything that belongs to it.
 *
 * @throws a Failure `UNAVAILABLE`, `IDEMPOTENCY_KEY_REUSED`
 */
export async function inviteStaff(
  deps: InviteDependencies,
  { email, name, roles, siteId, locale, now }: Invitation,
  by: By & { readonly once: Once | null },
  options: RetryOptions = retries,
): Promise<Invited> {
  const { tables, pool } = deps;
  const { once, ...occasion } = by;
  const invited = await retryOnContention<Invited>(async () => {
    const made = await recall(tables.IdempotencyKeys, once);
    const earlier = made && (await readAccount(tables.StaffAccounts, made.staffId ?? ''));
    if (earlier) return earlier;
    if (!(await isAdministrator(deps, occasion))) return 'forbidden';
    const site = siteId === null ? null : await readSite(tables.Sites, siteId);
    if (siteId !== null && !site) return 'no-site';
    if (site && site.status !== 'open') return 'site-closed';
    const found = await findAccount(pool, email);
    const userId = found?.userId ?? (await createAccount(pool, email));
    // Another request was first with this address. Decide again.
    if (!userId) return contended;
    if (found && (!found.isNew || (await readAccount(tables.StaffAccounts, userId)))) {
      // The same request came twice, and the other one made the account. Decide again with its rows.
      return (await recall(tables.IdempotencyKeys, once)) ? contended : { exists: userId };
    }
    const next = nextRevision({ revision: 0 }, by.realNow);
    const account: StaffAccount = {
      userId,
      email,
      roles: [...new Set(roles)].toSorted(),
      status: 'invited',
      ...(locale !== null && { locale }),
      acceptedAt: null,
      endedAt: null,
      createdAt: now.toISOString(),
      ...next,
      invitation: { id: next.changeId, at: next.updatedAt },
    };
    const before = await readEntry(tables.StaffDirectory, userId);
    // An interrupted invitation leaves only the pool's user. Somebody may have assigned this user to a site since then.
    const post = siteId === null ? null : await readPost(tables.Staff, { userId, siteId });
    const entry = changedEntry(before, { name, ...listedAs(account) });
    const { caller, ...rest } = occasion;
    const work =
      siteId === null
        ? [putStaffName(tables.Staff, userId, name), ...putEntry(tables.StaffDirectory, entry, before)]
        : workAtSite(
            tables,
            { post: post ?? { userId, siteId, since: now.toISOString() }, name, entry },
            { post, entry: before },
            { ...rest, actor: caller.userId },
          );
    const items = [
      ...changeItems(deps, { account, before: null, action: staffInvited, by: occasion }),
      ...work,
      ...rememberedIn(tables.IdempotencyKeys, once, { staffId: userId }),
    ];
    const isDone = await openOnly(deps, userId, () => commit(items));
    return isDone === true ? account : contended;
  }, options);
  if (typeof invited === 'object' && 'userId' in invited) await followRow(deps, invited);
  return invited;
}
