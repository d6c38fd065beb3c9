import { serve } from '../../../lib/runtime/serve.ts';
import { listThings } from './example.ts';

// @ts-expect-error TS2322: Property 'next' is missing
export const handler = serve(listThings)(async () => ({ items: [] }));
