import { serveWithPrefetch } from '../../../lib/runtime/serve.ts';
import { readClock } from '../routes.ts';
import { clockAt } from '../rules/clock.ts';
import { readOffset } from '../stores/clock-offset.ts';

export const handler = serveWithPrefetch(readClock)({
  prefetch: ({ tables }) => readOffset(tables.Clock),
  respond: async (_asked, offset) => clockAt(offset, Date.now()),
});
