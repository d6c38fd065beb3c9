import { serve } from '../../../lib/runtime/serve.ts';
import { AccessCodeNotFound, AccessCodeRedeemed } from '../errors.ts';
import { revokeAccessCode } from '../routes.ts';
import { revokeCode } from '../workflows/revoke-codes.ts';

export const handler = serve(revokeAccessCode)(async (input) => {
  const { params, body, caller, application, requestId, now, tables, fail } = input;
  const endEntitlements = body?.endEntitlements === true;
  const revocation = { endEntitlements, now, application, actor: caller.userId, requestId };
  const revoked = await revokeCode({ tables }, params.accessCodeId, revocation);
  if (!revoked) return fail(AccessCodeNotFound);
  return revoked === 'redeemed' ? fail(AccessCodeRedeemed) : revoked;
});
