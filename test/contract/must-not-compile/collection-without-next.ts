import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { listThings } from './example.ts';

// @ts-expect-error TS2322: Property 'next' is missing
export const handler = servePages(listThings, lambdaWithClock)(async () => ({ items: [] }));
