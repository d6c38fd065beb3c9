import { readAccount } from '../../../lib/runtime/accounts.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { AgreementNotFound } from '../../agreements/errors.ts';
import { readConsentState } from '../routes.ts';
import { readStateAt } from '../workflows/read-state-at.ts';

export const handler = serve(readConsentState)(async ({ params, query, application, now, tables, fail }) => {
  const account = () => readAccount({ table: tables.Accounts, userId: params.userId });
  const asked = { application, ...params, at: query.at, now, account };
  return (await readStateAt(tables, asked)) ?? fail(AgreementNotFound);
});
