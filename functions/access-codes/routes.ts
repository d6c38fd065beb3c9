import * as z from 'zod/mini';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { combined, Id, Instant, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, get, joined, read, withSecret } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { ConsentStates } from '../consents/tables.ts';
import { SiteNotFound } from '../crm-sites/errors.ts';
import { relationUses } from '../crm-sites/schemas.ts';
import { Sites } from '../crm-sites/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import {
  AccessCodeBatchNotFound,
  AccessCodeBatchRevoked,
  AccessCodeExpired,
  AccessCodeLocked,
  AccessCodeMistyped,
  AccessCodeNotFound,
  AccessCodeRedeemed,
  AccessCodeRevoked,
  AccessCodeSiteUnavailable,
} from './errors.ts';
import { issueCodes, readOwnEntitlements, writeOwnCodes } from './permissions.ts';
import { programmes } from './schemas.ts';
import { AccessCodeKey } from './secrets.ts';
import {
  AccessCodeBatches,
  AccessCodes,
  AccessCodeTries,
  EntitlementStarts,
  Entitlements,
  IssuedAccessCodes,
} from './tables.ts';

const kind = z.enum(['prescription', 'clinic', 'study']);
const count = z.int().check(z.gte(1), z.lte(1000));
const grantsDays = z.int().check(z.gte(1), z.lte(3650));

export const NewAccessCodeBatch = z.object({
  count,
  kind,
  programmeId: z.enum(programmes),
  /** Of 24 hours each, from the start of the entitlement. */
  grantsDays,
  /** The last instant at which a code can be redeemed. */
  redeemBy: Instant,
  siteId: z.optional(Id),
  studyId: z.optional(Id),
});

/** How many of a batch's codes are in which state; `issued` are those that can still be redeemed. */
export const AccessCodeCounts = z.object({ issued: z.int(), redeemed: z.int(), expired: z.int(), revoked: z.int() });

const batch = {
  batchId: Id,
  count: z.int(),
  kind,
  programmeId: Id,
  grantsDays: z.int(),
  redeemBy: Timestamp,
  siteId: z.nullable(Id),
  studyId: z.nullable(Id),
  createdAt: Timestamp,
};

export const AccessCodeBatch = z.object(
  combined(batch, {
    /** `issuing` until all codes are written. */
    status: z.enum(['issuing', 'issued', 'revoked']),
    revokedAt: z.nullable(Timestamp),
    /** Since when all that its codes unlocked is over. */
    entitlementsEndedAt: z.nullable(Timestamp),
    counts: AccessCodeCounts,
  }),
);

export const IssuedAccessCode = z.object({ accessCodeId: Id, code: z.string() });

export const IssuedAccessCodeBatch = z.object(combined(batch, { codes: z.array(IssuedAccessCode) }));

export const AccessCode = z.object({
  accessCodeId: Id,
  /** Null of an insurer's code. */
  batchId: z.nullable(Id),
  status: z.enum(['issued', 'redeemed', 'expired', 'revoked']),
});

const entitlement = {
  entitlementId: Id,
  programmeId: Id,
  startsAt: Timestamp,
  /** Earlier than granted where the code was revoked with what it unlocked. */
  endsAt: Timestamp,
  status: z.enum(['scheduled', 'active', 'ended']),
};

export const Entitlement = z.object(entitlement);

const administered = ['medinfo'] as const;
const mobile = ['sleepcare'] as const;
const Revocation = z.optional(z.object({ endEntitlements: z.optional(z.boolean()) }));
/** As it is typed or pasted: read tolerantly, and of whatever length to be called mistyped. */
const TypedCode = z.string().check(z.maxLength(200));

export const issueAccessCodes = route({
  method: 'POST',
  path: '/access-codes/batches',
  summary: 'Issues a batch of access codes',
  description: withKeyNote(
    'The codes are in this answer alone: only keyed hashes of them are kept. Send a key, so that a lost answer is not a lost ' +
      'batch: for a day the same request answers the same codes, which are kept encrypted for that long.',
  ),
  applications: administered,
  auth: issueCodes,
  uses: joined(
    [
      read(AccessCodeBatches),
      append(AccessCodeBatches),
      append(AccessCodes),
      read(IssuedAccessCodes),
      append(IssuedAccessCodes),
      append(AuditEvents),
      get(Sites),
      withSecret(AccessCodeKey),
    ],
    idempotencyUses,
  ),
  headers: idempotencyHeaders,
  body: NewAccessCodeBatch,
  status: 201,
  response: IssuedAccessCodeBatch,
  errors: [ValidationFailed, SiteNotFound, AccessCodeBatchRevoked, IdempotencyKeyReused],
});

export const listAccessCodeBatches = route({
  method: 'GET',
  path: '/access-codes/batches',
  summary: 'Batches of access codes, newest first',
  applications: administered,
  auth: issueCodes,
  uses: [read(AccessCodeBatches)],
  items: AccessCodeBatch,
  errors: [],
});

const ofBatch = z.object({ batchId: pathId(AccessCodeBatchNotFound) });

export const readAccessCodeBatch = route({
  method: 'GET',
  path: '/access-codes/batches/{batchId}',
  summary: 'A batch of access codes, with the number of codes in each state',
  applications: administered,
  auth: issueCodes,
  uses: [read(AccessCodeBatches)],
  params: ofBatch,
  response: AccessCodeBatch,
  errors: [AccessCodeBatchNotFound],
});

export const revokeAccessCodeBatch = route({
  method: 'POST',
  path: '/access-codes/batches/{batchId}/revoke',
  summary: 'Revokes the codes of a batch that nobody has redeemed',
  description:
    'With `endEntitlements` what its redeemed codes unlocked ends, too, at once. Idempotent; `endEntitlements` can follow later.',
  applications: administered,
  auth: issueCodes,
  uses: [
    read(AccessCodeBatches),
    append(AccessCodeBatches),
    adjust(AccessCodeBatches),
    read(EntitlementStarts),
    adjust(Entitlements),
    append(AuditEvents),
  ],
  params: ofBatch,
  body: Revocation,
  response: AccessCodeBatch,
  errors: [AccessCodeBatchNotFound],
});

export const revokeAccessCode = route({
  method: 'POST',
  path: '/access-codes/{accessCodeId}/revoke',
  summary: 'Revokes one code',
  description:
    'A code that is redeemed stays so; with `endEntitlements` what it unlocked ends at once. Who has the text of a code alone ' +
    'asks `POST /access-codes/lookup` for its id. Idempotent.',
  applications: administered,
  auth: issueCodes,
  uses: [
    get(AccessCodes),
    append(AccessCodes),
    get(AccessCodeBatches),
    adjust(AccessCodeBatches),
    get(EntitlementStarts),
    adjust(Entitlements),
    append(AuditEvents),
  ],
  params: z.object({ accessCodeId: pathId(AccessCodeNotFound) }),
  body: Revocation,
  response: AccessCode,
  errors: [AccessCodeNotFound, AccessCodeRedeemed],
});

export const lookUpAccessCode = route({
  method: 'POST',
  path: '/access-codes/lookup',
  summary: 'The id and the status of a code, by its text',
  description:
    'And no more: not whose it is. A POST, so that no code stands in an address. Read as tolerantly as from a patient.',
  applications: administered,
  auth: issueCodes,
  uses: [get(AccessCodes), get(AccessCodeBatches), withSecret(AccessCodeKey)],
  body: z.object({ code: TypedCode }),
  response: AccessCode,
  errors: [AccessCodeMistyped, AccessCodeNotFound],
});

export const validateAccessCode = route({
  method: 'POST',
  path: '/access-codes/validate',
  summary: 'Whether a code can be redeemed, and what it unlocks',
  description:
    'Case, spaces and hyphens do not matter. `reason` is null of a valid code, else `MISTYPED`, `UNKNOWN`, `EXPIRED`, `REVOKED` ' +
    'or `REDEEMED`. After ten codes within an hour that do not exist the caller is locked out for the rest of it.',
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
    'Once: the same caller again gets the same entitlement, anybody else `ACCESS_CODE_REDEEMED`. A second code of the same ' +
    "programme starts when the first entitlement ends. `shareWithSite` lets the code's site look after the caller, who has " +
    'to agree to `missingAgreementId` for that, where it is not null.',
  applications: mobile,
  auth: writeOwnCodes,
  uses: joined(
    [
      get(AccessCodes),
      append(AccessCodes),
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
  description: 'Ended ones too. The diary and reading what is one’s own need no entitlement.',
  applications: mobile,
  auth: readOwnEntitlements,
  uses: [read(Entitlements)],
  items: Entitlement,
  errors: [],
});
