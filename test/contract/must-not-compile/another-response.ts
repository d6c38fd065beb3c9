import { serve } from '../../../lib/runtime/serve.ts';
import { rename } from './example.ts';

// @ts-expect-error TS2322: Types of property 'name' are incompatible
export const handler = serve(rename)(async () => ({ name: 1 }));
