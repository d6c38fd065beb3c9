import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listOwnSignIns } from '../routes.ts';
import { readSignIns } from '../stores/sign-ins.ts';

export const handler = servePages(
  listOwnSignIns,
  lambdaWithClock,
)(async ({ page, caller, tables }) => {
  const after = page.after ? String(page.after.signInId) : null;
  // Real time, as the sign-ins have it, whatever the time machine says.
  const asked = { limit: page.limit, after, now: new Date() };
  const { signIns, next } = await readSignIns(tables.SignIns, caller.userId, asked);
  return { items: signIns, next: next === null ? null : { signInId: next } };
});
