import { serve } from '../../../lib/runtime/serve.ts';
import { listEntitlements } from '../routes.ts';
import { readEntitlementPage } from '../stores/entitlement-rows.ts';

export const handler = serve(listEntitlements)(async ({ page, caller, now, tables }) => {
  const wanted = { userId: caller.userId, ...page, now };
  const { entitlements, next } = await readEntitlementPage(tables, wanted);
  return { items: entitlements, next };
});
