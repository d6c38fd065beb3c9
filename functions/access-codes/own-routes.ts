import * as z from 'zod/mini';
import { combined, Id, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, check, get, joined, read, withSecret } from '../../lib/contract/uses.ts';
import { ConsentStates } from '../consents/tables.ts';
import { relationUses } from '../crm-sites/schemas.ts';
import {
  AccessCodeExpired,
  AccessCodeLocked,
  AccessCodeMistyped,
  AccessCodeNotFound,
  AccessCodeRedeemed,
  AccessCodeRevoked,
  AccessCodeSiteUnavailable,
} from './errors.ts';
import { readOwnEntitlements, writeOwnCodes } from './permissions.ts';
import { TypedCode } from './request-schemas.ts';
import { AccessCodeKey } from './secrets.ts';
import {
  AccessCodeBatches,
  AccessCodes,
  AccessCodeTries,
  EntitlementStarts,
  Entitlements,
  IssuedAccessCodes,
} from './tables.ts';

/** The routes of patients about their codes, and what these have unlocked. */

const mobile = ['sleepcare'] as const;

const entitlement = {
  entitlementId: Id,
  programmeId: Id,
  startsAt: Timestamp,
  /** Earlier than granted where the code was revoked with what it unlocked. */
  endsAt: Timestamp,
  status: z.enum(['scheduled', 'active', 'ended']),
};

export const Entitlement = z.object(entitlement);

export const validateAccessCode = route({
  method: 'POST',
  path: '/access-codes/validate',
  summary: 'Whether a code can be redeemed, and what it unlocks',
  description:
    'Case, spaces and hyphens do not matter. `reason` is null for a valid code, otherwise `MISTYPED`, `UNKNOWN`, `EXPIRED`, `REVOKED` or ' +
    '`REDEEMED`. After ten codes that do not exist within an hour, the caller is locked out for the rest of the hour.',
  applications: mobile,
  auth: writeOwnCodes,
  uses: [
    get(AccessCodes),
    get(AccessCodeBatches),
    get(AccessCodeTries),
    append(AccessCodeTries),
    withSecret(AccessCodeKey),
  ],
  body: z.object({ code: TypedCode }),
  response: z.object({
    valid: z.boolean(),
    reason: z.nullable(z.enum(['MISTYPED', 'UNKNOWN', 'EXPIRED', 'REVOKED', 'REDEEMED'])),
    programmeId: z.nullable(Id),
    grantsDays: z.nullable(z.int()),
  }),
  errors: [AccessCodeLocked],
});

export const redeemAccessCode = route({
  method: 'POST',
  path: '/access-codes/redeem',
  summary: 'Redeems a code: unlocks its programme for the caller',
  description:
    'A code can be redeemed once. If the same caller repeats the request, the answer has the same entitlement; any other caller gets ' +
    '`ACCESS_CODE_REDEEMED`. With a second code of the same programme, the new entitlement starts when the first one ends. `shareWithSite` ' +
    "connects the caller with the code's site. If `missingAgreementId` is not null, the site can read the caller's data only after the " +
    'caller has agreed to it.',
  applications: mobile,
  auth: writeOwnCodes,
  uses: joined(
    [
      get(AccessCodes),
      append(AccessCodes),
      check(AccessCodes),
      get(AccessCodeBatches),
      adjust(AccessCodeBatches),
      read(Entitlements),
      append(Entitlements),
      append(EntitlementStarts),
      append(IssuedAccessCodes),
      get(AccessCodeTries),
      append(AccessCodeTries),
      get(ConsentStates),
      withSecret(AccessCodeKey),
    ],
    relationUses,
  ),
  body: z.object({ code: TypedCode, shareWithSite: z.optional(z.boolean()) }),
  response: z.object(combined(entitlement, { missingAgreementId: z.nullable(Id) })),
  errors: [
    AccessCodeMistyped,
    AccessCodeNotFound,
    AccessCodeExpired,
    AccessCodeRevoked,
    AccessCodeRedeemed,
    AccessCodeSiteUnavailable,
    AccessCodeLocked,
  ],
});

export const listEntitlements = route({
  method: 'GET',
  path: '/users/me/entitlements',
  summary: "The programmes that the caller's codes have unlocked, newest first",
  description: 'Including ended ones. The diary, and reading one’s own data, need no entitlement.',
  applications: mobile,
  auth: readOwnEntitlements,
  uses: [read(Entitlements)],
  cursor: 'entitlementId',
  items: Entitlement,
  errors: [],
});
