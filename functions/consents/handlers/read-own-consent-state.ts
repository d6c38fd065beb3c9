import { serve } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { readOwnConsentState } from '../routes.ts';
import { readStateAt } from '../workflows/read-state-at.ts';

export const handler = serve(readOwnConsentState)(async (input) => {
  const { params, query, caller, account, application, now, tables, fail } = input;
  const asked = { application, userId: caller.userId, agreementId: params.agreementId, at: query.at, now, account };
  return (await readStateAt(tables, asked)) ?? fail(AgreementNotFound);
});
