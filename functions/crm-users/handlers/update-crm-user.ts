import { AccountClosed, Forbidden } from '../../../lib/contract/common-errors.ts';
import { isHeld } from '../../../lib/contract/permissions.ts';
import { whileOpen } from '../../../lib/runtime/accounts.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { unseen } from '../../access/check.ts';
import { etagOf } from '../../audit/rules.ts';
import { UserNotFound } from '../../users/errors.ts';
import { administerSites } from '../permissions.ts';
import { updateCrmUser } from '../routes.ts';
import { shownEntry } from '../rules/directory.ts';
import { editEntry, etagRevision } from '../workflows/edit-entry.ts';

export const handler = serve(updateCrmUser)(async (input) => {
  const { params, headers, body, caller, application, requestId, tables, fail } = input;
  const { userId } = params;
  const isOwn = userId === caller.userId;
  const isAdmin = isHeld(administerSites, { roles: caller.roles, application });
  if (!isOwn && !isAdmin) return fail(UserNotFound);
  // Patients see it in their log: nobody takes another's.
  if (body.name !== undefined && !isAdmin) throw new Failure(Forbidden);
  const wanted = { userId, isOwn, ifMatch: headers['if-match'], changes: body };
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const edit = () => editEntry(tables, wanted, occasion);
  try {
    // Another's account has to be open when the entry is there; of the caller's own that holds for every write.
    const entry = await (isOwn ? edit() : whileOpen({ table: tables.Accounts, userId }, edit));
    if (!entry) return fail(UserNotFound);
    const answer = { etag: etagOf(etagRevision(entry)), body: shownEntry(entry) };
    return isOwn ? unseen(answer) : answer;
  } catch (error) {
    if (!isOwn && error instanceof Failure && error.error === AccountClosed) return fail(UserNotFound);
    throw error;
  }
});
