import { isHeld } from '../../../lib/contract/permissions.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { unseen } from '../../access/check.ts';
import { etagOf } from '../../audit/rules.ts';
import { UserNotFound } from '../../users/errors.ts';
import { administerSites } from '../permissions.ts';
import { readCrmUser } from '../routes.ts';
import { shownEntry } from '../rules/directory.ts';
import { readEntry } from '../stores/directory-rows.ts';
import { etagRevision } from '../workflows/edit-entry.ts';

export const handler = serve(readCrmUser)(async ({ params: { userId }, caller, application, tables, fail }) => {
  const isOwn = userId === caller.userId;
  if (!isOwn && !isHeld(administerSites, { roles: caller.roles, application })) return fail(UserNotFound);
  const entry = await readEntry(tables.StaffDirectory, userId);
  if (!isOwn && entry.revision === 0) return fail(UserNotFound);
  const answer = { etag: etagOf(etagRevision(entry)), body: shownEntry(entry) };
  return isOwn ? unseen(answer) : answer;
});
