import { ValidationFailed } from '../../../lib/contract/common-errors.ts';
import { serve } from '../../../lib/runtime/serve.ts';
import { SiteNotFound } from '../../crm-sites/errors.ts';
import { onceOf, secondsOf } from '../../idempotency/rules.ts';
import { AccessCodeBatchRevoked } from '../errors.ts';
import { issueAccessCodes } from '../routes.ts';
import { beginBatch } from '../workflows/begin-batch.ts';
import { issueCodesOf } from '../workflows/issue-codes.ts';

export const handler = serve(issueAccessCodes)(async (input) => {
  const { body, caller, application, now, requestId, tables, secrets, fail } = input;
  // One for the whole request, so that key and sealed codes are of the same day.
  const realNow = new Date();
  const idempotency = onceOf(issueAccessCodes, input, realNow);
  const secret = secrets.AccessCodeKey;
  const deps = { tables, secret };
  const begun = await beginBatch(deps, {
    asked: body,
    now,
    once: idempotency,
    actor: caller.userId,
    application,
    requestId,
  });
  if (begun === 'no-site') return fail(SiteNotFound);
  if (begun === 'late') {
    const issue = { path: 'redeemBy', code: 'too_small', message: 'must be in the future' } as const;
    return fail(ValidationFailed, { issues: [{ in: 'body', ...issue }] });
  }
  const codes = await issueCodesOf(deps, { batch: begun, expiresAt: secondsOf(realNow) + 86_400, realNow });
  if (!codes) return fail(AccessCodeBatchRevoked);
  const { revision, revokedAt, entitlementsEndedAt, ...batch } = begun;
  return { ...batch, codes };
});
