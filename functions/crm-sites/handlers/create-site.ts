import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { canonicalTimeZone } from '../../users/rules.ts';
import { createSite } from '../routes.ts';
import { createSite as create } from '../workflows/change-site.ts';

export const handler = serve(createSite)(async (input) => {
  const { body, caller, application, now, requestId, tables } = input;
  const realNow = new Date();
  const once = onceOf(createSite, input, realNow);
  const { name, timezone, address = null, phone = null, openingHours = null, holidays = null } = body;
  const described = { name, timezone: canonicalTimeZone(timezone), address, phone, openingHours, holidays };
  const wanted = { ...described, now };
  return create(tables, wanted, { application, actor: caller.userId, requestId, realNow, once });
});
