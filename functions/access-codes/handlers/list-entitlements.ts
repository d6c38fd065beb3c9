import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listEntitlements } from '../routes.ts';
import { readEntitlementPage } from '../stores/entitlement-rows.ts';

export const handler = servePages(
  listEntitlements,
  lambdaWithClock,
)(async ({ page, caller, now, tables }) => {
  const after = page.after ? String(page.after.entitlementId) : null;
  const wanted = { userId: caller.userId, limit: page.limit, after, now };
  const { entitlements, hasMore } = await readEntitlementPage(tables, wanted);
  const last = entitlements.at(-1);
  return { items: entitlements, next: hasMore && last ? { entitlementId: last.entitlementId } : null };
});
