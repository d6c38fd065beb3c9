import { serve } from '../../../lib/runtime/serve.ts';
import { SiteNotFound } from '../errors.ts';
import { deleteSite } from '../routes.ts';
import { deleteSite as deleteClosed } from '../workflows/edit-site.ts';

export const handler = serve(deleteSite)(async ({ params, headers, caller, application, requestId, tables, fail }) => {
  const occasion = { application, actor: caller.userId, requestId, realNow: new Date() };
  const isDeleted = await deleteClosed(tables, { ...params, ifMatch: headers['if-match'] }, occasion);
  return isDeleted ? { success: true, ...params } : fail(SiteNotFound);
});
