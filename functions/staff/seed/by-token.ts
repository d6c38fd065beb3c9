import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { EnterDependencies } from '../jobs/enter-member.ts';
import { unadministered } from '../rules/staff.ts';
import { onRoster, putAccount, readAccount } from '../stores/staff-rows.ts';

/** Of a row that nothing but the local stage's token has made. */
const byToken = 'by-token';

/**
 * The local stage gives out tokens of people who were never invited, in any role. The row gives the roles that such a token names, since
 * only rows do; a row that an administrator or a seed wrote stays as it is.
 */
export async function admitByToken(
  { tables: { StaffAccounts } }: { readonly tables: Pick<EnterDependencies['tables'], 'StaffAccounts'> },
  { userId, roles }: Pick<StaffAccount, 'userId' | 'roles'>,
  realNow: Date,
): Promise<void> {
  const wanted = [...new Set(roles)].toSorted();
  await retryOnContention(async () => {
    const before = await readAccount(StaffAccounts, userId);
    if (before ? before.changeId !== byToken || before.roles.join() === wanted.join() : wanted.length === 0)
      return true;
    const fresh = unadministered({ userId, email: null, roles: wanted }, realNow);
    const account = { ...fresh, revision: (before?.revision ?? 0) + 1, changeId: byToken };
    return (await commit([putAccount(StaffAccounts, account), onRoster(StaffAccounts, account, null)])) || contended;
  });
}
