import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { listStaff } from '../routes.ts';
import { readStaffPage } from '../stores/staff-rows.ts';
import { memberOf } from '../workflows/answer-change.ts';

export const handler = servePages(
  listStaff,
  lambdaWithAccess,
)(async ({ page, tables }) => {
  const after = page.after ? String(page.after.userId) : null;
  const { staff, next } = await readStaffPage(tables, { limit: page.limit, after });
  return {
    items: staff.map(({ name, ...account }) => memberOf(account, name)),
    next: next === null ? null : { userId: next },
  };
});
