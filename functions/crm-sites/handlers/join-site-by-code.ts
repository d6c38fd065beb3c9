import { serve } from '../../../lib/runtime/serve.ts';
import { joinSiteByCode } from '../routes.ts';
import { join } from '../workflows/answer-join.ts';

export const handler = serve(joinSiteByCode)((input) => join(input, { siteId: null, code: input.body.code }));
