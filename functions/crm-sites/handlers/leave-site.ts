import { serve } from '../../../lib/runtime/serve.ts';
import { leaveSite } from '../routes.ts';
import { leaveSite as leave } from '../workflows/relations.ts';

export const handler = serve(leaveSite)(async ({ params: { siteId }, caller: { userId }, tables }) => {
  await leave(tables, { userId, siteId });
  return { success: true, siteId };
});
