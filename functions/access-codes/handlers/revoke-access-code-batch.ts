import { serve } from '../../../lib/runtime/serve.ts';
import { AccessCodeBatchNotFound } from '../errors.ts';
import { revokeAccessCodeBatch } from '../routes.ts';
import { summaryOf } from '../rules/batch.ts';
import { revokeBatch } from '../workflows/revoke-codes.ts';

export const handler = serve(revokeAccessCodeBatch)(async (input) => {
  const { params, body, caller, application, requestId, now, tables, fail } = input;
  const endEntitlements = body?.endEntitlements === true;
  const revocation = { endEntitlements, now, application, actor: caller.userId, requestId };
  const revoked = await revokeBatch({ tables }, params.batchId, revocation);
  if (!revoked) return fail(AccessCodeBatchNotFound);
  return summaryOf(revoked.batch, revoked.groups, now);
});
