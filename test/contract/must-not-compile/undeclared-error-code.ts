import { RequiredAgreement } from '../../../functions/consents/errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { rename } from './example.ts';

export const handler = serve(rename)(async ({ body, fail }) => {
  // @ts-expect-error TS2345: '"AGREEMENT_REQUIRED"' is not assignable to type '"AGREEMENT_NOT_FOUND"'
  if (body.name === '') return fail(RequiredAgreement);
  return body;
});
