import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { lambdaWithAccess } from '../../access/check.ts';
import { readSignIns } from '../../auth/exports.ts';
import { listSignInsOfUser } from '../routes.ts';
import { appUser } from '../workflows/administer-user.ts';

export const handler = servePages(
  listSignInsOfUser,
  lambdaWithAccess,
)(async ({ page, params, tables }) => {
  const { userId } = await appUser(tables.Users, params.userId);
  const after = page.after ? String(page.after.signInId) : null;
  // Real time, as the sign-ins have it, whatever the time machine says.
  const asked = { limit: page.limit, after, now: new Date() };
  const { signIns, next } = await readSignIns(tables.SignIns, userId, asked);
  return { items: signIns, next: next === null ? null : { signInId: next } };
});
