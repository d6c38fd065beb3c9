import { serve } from '../../../lib/runtime/serve.ts';
import { resetClock } from '../routes.ts';
import { clockAt } from '../rules/clock.ts';
import { removeOffset } from '../stores/clock-offset.ts';

export const handler = serve(resetClock)(async ({ tables }) => {
  await removeOffset(tables.Clock);
  return clockAt(null, Date.now());
});
