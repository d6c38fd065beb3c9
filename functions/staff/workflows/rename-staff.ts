import type { StaffAccount } from '../../../lib/contract/staff-accounts.ts';
import { commit } from '../../../lib/runtime/commit.ts';
import { contended, type RetryOptions, retryOnContention } from '../../../lib/runtime/retry-on-contention.ts';
import type { Staff } from '../../access/data-subject.ts';
import { isFromBefore, preconditionOf } from '../../audit/rules.ts';
import { directoryChange, putStaffName, readStaffName } from '../../crm-users/exports.ts';
import { staffRenamed } from '../audit-actions.ts';
import { readAccount } from '../stores/staff-rows.ts';
import {
  type By,
  type ChangeTables,
  changeItems,
  isAdministrator,
  nextRevision,
  openOnly,
  retries,
} from './change-staff.ts';
import { listedAs } from './listed-as.ts';

type Renamed = StaffAccount | 'missing' | 'failed' | 'forbidden' | 'unknown';

/**
 * A person has one name for all sites. It is in `Staff` and in the directory. The revision is that of the account. A change that was
 * made already, and comes again because its answer was lost, gets the answer with its result.
 */
export async function renameStaff(
  deps: { readonly tables: ChangeTables & { readonly Staff: Staff<'get' | 'put'> } },
  { userId, name, ifMatch }: { userId: string; name: string; ifMatch: string | undefined },
  by: By,
  options: RetryOptions = retries,
): Promise<Renamed> {
  const { tables } = deps;
  return openOnly(deps, userId, () =>
    retryOnContention<Renamed>(async () => {
      if (!(await isAdministrator(deps, by))) return 'forbidden';
      const before = await readAccount(tables.StaffAccounts, userId);
      if (!before) return 'unknown';
      const precondition = preconditionOf(before.revision, { ifMatch, ifNoneMatch: undefined });
      if (precondition === 'failed' && isFromBefore(before.revision, ifMatch)) {
        if ((await readStaffName(tables.Staff, userId)) === name) return before;
      }
      if (precondition !== 'holds') return precondition;
      const account = { ...before, ...nextRevision(before, by.realNow) };
      const items = [
        ...changeItems(deps, { account, before, action: staffRenamed, by }),
        putStaffName(tables.Staff, userId, name),
        ...(await directoryChange(tables.StaffDirectory, userId, { name, ...listedAs(account) })),
      ];
      return (await commit(items)) ? account : contended;
    }, options),
  );
}
