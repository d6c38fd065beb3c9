import { Forbidden, PreconditionFailed, PreconditionRequired } from '../../../lib/contract/common-errors.ts';
import { Failure } from '../../../lib/runtime/failure.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { OwnAccount, StaffNotFound } from '../errors.ts';
import { updateStaffMember } from '../routes.ts';
import { byOf, memberOf } from '../workflows/answer-change.ts';
import { renameStaff } from '../workflows/rename-staff.ts';

export const handler = serve(updateStaffMember)(async (input) => {
  const { params, headers, body, caller, fail } = input;
  if (params.staffId === caller.userId) return fail(OwnAccount);
  const renamed = await renameStaff(
    { tables: input.tables },
    { userId: params.staffId, name: body.name, ifMatch: headers['if-match'] },
    byOf(input),
  );
  switch (renamed) {
    case 'unknown':
      return fail(StaffNotFound);
    case 'missing':
      return fail(PreconditionRequired);
    case 'failed':
      return fail(PreconditionFailed);
    case 'forbidden':
      throw new Failure(Forbidden);
    default:
      return { etag: etagOf(renamed.revision), body: memberOf(renamed, body.name) };
  }
});
