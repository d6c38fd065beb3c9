import { AgreementVersionNotActive } from '../../../functions/consents/errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { rename } from './example.ts';

export const handler = serve(rename)(async ({ body, fail }) => {
  // @ts-expect-error TS2554: Expected 2 arguments, but got 1
  if (body.name === '') return fail(AgreementVersionNotActive);
  return body;
});
