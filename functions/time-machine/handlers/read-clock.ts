import { serveInSteps } from '../../../lib/runtime/serve.ts';
import { readClock } from '../routes.ts';
import { clockAt } from '../rules/clock.ts';
import { readOffset } from '../stores/clock-offset.ts';

export const handler = serveInSteps(readClock)({
  read: ({ tables }) => readOffset(tables.Clock),
  answer: async (_asked, offset) => clockAt(offset, Date.now()),
});
