import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listThings } from './example.ts';

export const handler = servePages(
  listThings,
  lambdaWithClock,
)(async ({ caller }) => ({
  // @ts-expect-error TS18047: 'caller' is possibly 'null'
  items: [{ name: caller.userId }],
  next: null,
}));
