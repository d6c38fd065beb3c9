import { lambdaWithClock } from '../../../lib/runtime/clock.ts';
import { servePages } from '../../../lib/runtime/serve-pages.ts';
import { countThings } from './example.ts';

// @ts-expect-error TS2322: Property 'metadata' is missing
export const handler = servePages(countThings, lambdaWithClock)(async () => ({ items: [], next: null }));
