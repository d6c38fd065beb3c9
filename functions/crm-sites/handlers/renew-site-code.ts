import { serve } from '../../../lib/runtime/serve.ts';
import { onceOf } from '../../idempotency/rules.ts';
import { SiteNotFound } from '../errors.ts';
import { renewSiteCode } from '../routes.ts';
import { renewCode } from '../workflows/change-site.ts';

export const handler = serve(renewSiteCode)(async (input) => {
  const { params, caller, application, requestId, tables, fail } = input;
  const realNow = new Date();
  const once = onceOf(renewSiteCode, { ...input, body: null }, realNow);
  const occasion = { application, actor: caller.userId, requestId, realNow, once };
  return (await renewCode(tables, params.siteId, occasion)) ?? fail(SiteNotFound);
});
