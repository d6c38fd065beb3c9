import { serve } from '../../../lib/runtime/serve.ts';
import { rename } from './example.ts';

// @ts-expect-error TS2339: Property 'PushQueue' does not exist
export const handler = serve(rename)(async ({ queues }) => ({ name: queues.PushQueue }));
