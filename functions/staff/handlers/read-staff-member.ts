import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { StaffNotFound } from '../errors.ts';
import { readStaffMember } from '../routes.ts';
import { readAccount } from '../stores/staff-rows.ts';
import { memberOf } from '../workflows/answer-change.ts';

export const handler = serve(readStaffMember)(async ({ params: { staffId }, tables, fail }) => {
  const [account, name] = await Promise.all([
    readAccount(tables.StaffAccounts, staffId),
    readStaffName(tables.Staff, staffId),
  ]);
  return account ? { etag: etagOf(account.revision), body: memberOf(account, name) } : fail(StaffNotFound);
});
