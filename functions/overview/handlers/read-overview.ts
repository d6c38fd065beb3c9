import { serve } from '../../../lib/runtime/serve.ts';
import { readOverview } from '../routes.ts';
import { overviewOf } from '../workflows/gather-figures.ts';

export const handler = serve(readOverview)(async ({ now, tables }) => overviewOf(tables, now));
