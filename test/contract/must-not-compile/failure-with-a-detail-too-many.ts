import { AgreementNotFound } from '../../../functions/agreements/errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { rename } from './example.ts';

export const handler = serve(rename)(async ({ body, fail }) => {
  // @ts-expect-error TS2554: Expected 1 arguments, but got 2
  if (body.name === '') return fail(AgreementNotFound, { agreementId: 'one' });
  return body;
});
