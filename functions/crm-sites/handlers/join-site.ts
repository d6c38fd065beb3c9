import { serve } from '../../../lib/runtime/serve.ts';
import { joinSite } from '../routes.ts';
import { join } from '../workflows/answer-join.ts';

export const handler = serve(joinSite)((input) => join(input, { siteId: input.params.siteId, code: input.body.code }));
