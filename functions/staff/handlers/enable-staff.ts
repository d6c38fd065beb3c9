import { serve } from '../../../lib/runtime/serve.ts';
import { readStaffName } from '../../crm-users/exports.ts';
import { enableStaff } from '../routes.ts';
import { change, memberOf } from '../workflows/answer-change.ts';
import { enabling } from '../workflows/decisions.ts';
import { rolesOfRow } from '../workflows/listed-as.ts';
import { tellGiver } from '../workflows/tell-giver.ts';

export const handler = serve(enableStaff)(async (input) => {
  const { staffId } = input.params;
  const account = await change(input, staffId, enabling);
  await tellGiver(input, account, rolesOfRow(account), account.changeId);
  return memberOf(account, await readStaffName(input.tables.Staff, staffId));
});
