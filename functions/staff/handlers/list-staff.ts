import { serve } from '../../../lib/runtime/serve.ts';
import { listStaff } from '../routes.ts';
import { readStaffPage } from '../stores/staff-rows.ts';
import { memberOf } from '../workflows/answer-change.ts';

export const handler = serve(listStaff)(async ({ page, tables }) => {
  const { staff, next } = await readStaffPage(tables, page);
  return {
    items: staff.map(({ name, ...account }) => memberOf(account, name)),
    next,
  };
});
