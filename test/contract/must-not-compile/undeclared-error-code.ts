import { serve } from '../../../lib/runtime/serve.ts';
import { rename } from './example.ts';

export const handler = serve(rename)(async ({ body, fail }) => {
  // @ts-expect-error TS2345: '"AGREEMENT_REQUIRED"' is not assignable
  if (body.name === '') return fail('AGREEMENT_REQUIRED');
  return body;
});
