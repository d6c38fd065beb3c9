import { serve } from '../../../lib/runtime/serve.ts';
import { countThings } from './example.ts';

// @ts-expect-error TS2322: Property 'metadata' is missing
export const handler = serve(countThings)(async () => ({ items: [], next: null }));
