import { serve } from '../../../lib/runtime/serve.ts';
import { etagOf } from '../../audit/rules.ts';
import { canonicalTimeZone } from '../../users/rules.ts';
import { SiteNotFound } from '../errors.ts';
import { updateSite } from '../routes.ts';
import { editSite } from '../workflows/edit-site.ts';

export const handler = serve(updateSite)(
  async ({ params, headers, body, caller, application, requestId, tables, fail }) => {
    const { timezone } = body;
    const changes = { ...body, timezone: timezone === undefined ? undefined : canonicalTimeZone(timezone) };
    const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
    const site = await editSite(tables, { ...params, ifMatch: headers['if-match'], changes }, occasion);
    return site ? { etag: etagOf(site.revision), body: site } : fail(SiteNotFound);
  },
);
