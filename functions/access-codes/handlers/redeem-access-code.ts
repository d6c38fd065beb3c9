import { serve } from '../../../lib/runtime/serve.ts';
import {
  AccessCodeExpired,
  AccessCodeLocked,
  AccessCodeMistyped,
  AccessCodeNotFound,
  AccessCodeRedeemed,
  AccessCodeRevoked,
  AccessCodeSiteUnavailable,
} from '../errors.ts';
import { redeemAccessCode } from '../routes.ts';
import { readCode } from '../rules/code.ts';
import { verifierOf } from '../stores/foreign-codes.ts';
import { redeemCode } from '../workflows/redeem-code.ts';
import { sharingAt } from '../workflows/share-with-site.ts';

export const handler = serve(redeemAccessCode)(async (input) => {
  const { body, caller, account, now, tables, secrets, environment, fail } = input;
  const code = readCode(body.code);
  if (code === null) return fail(AccessCodeMistyped);
  const deps = { tables, secret: secrets.AccessCodeKey, verify: verifierOf(environment) };
  const wish = { userId: caller.userId, code, now, wantsToShare: body.shareWithSite === true };
  const redemption = await redeemCode(deps, wish, sharingAt({ tables, account }));
  switch (redemption.outcome) {
    case 'done':
      return { ...redemption.entitlement, missingAgreementId: redemption.missingAgreementId };
    case 'locked':
      return fail(AccessCodeLocked, { lockedUntil: redemption.lockedUntil });
    case 'unknown':
      return fail(AccessCodeNotFound);
    case 'expired':
      return fail(AccessCodeExpired);
    case 'revoked':
      return fail(AccessCodeRevoked);
    case 'redeemed':
      return fail(AccessCodeRedeemed);
    case 'site-unavailable':
      return fail(AccessCodeSiteUnavailable);
  }
});
