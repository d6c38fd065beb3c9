import { serve } from '../../../lib/runtime/serve.ts';
import { listThings } from './example.ts';

export const handler = serve(listThings)(async ({ caller }) => ({
  // @ts-expect-error TS18047: 'caller' is possibly 'null'
  items: [{ name: caller.userId }],
  next: null,
}));
