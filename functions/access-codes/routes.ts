import * as z from 'zod/mini';
import { ValidationFailed } from '../../lib/contract/common-errors.ts';
import { combined, Id, Instant, pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, get, joined, read, withSecret } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { SiteNotFound } from '../crm-sites/errors.ts';
import { Sites } from '../crm-sites/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import {
  AccessCodeBatchNotFound,
  AccessCodeBatchRevoked,
  AccessCodeMistyped,
  AccessCodeNotFound,
  AccessCodeRedeemed,
} from './errors.ts';
import { issueCodes } from './permissions.ts';
import { TypedCode } from './request-schemas.ts';
import { programmes } from './schemas.ts';
import { AccessCodeKey } from './secrets.ts';
import { AccessCodeBatches, AccessCodes, EntitlementStarts, Entitlements, IssuedAccessCodes } from './tables.ts';

export * from './own-routes.ts';

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

const administered = ['medinfo'] as const;
const Revocation = z.optional(z.object({ endEntitlements: z.optional(z.boolean()) }));
export const issueAccessCodes = route({
  method: 'POST',
  path: '/access-codes/batches',
  summary: 'Issues a batch of access codes',
  description: withKeyNote(
    'Only this answer contains the codes; the service stores only keyed hashes of them. Send an `Idempotency-Key`, so that you can request the codes again if the answer was lost: for a day, a repeated request gets the same codes, which are stored encrypted during that time.',
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
  cursor: 'batchId',
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
    'With `endEntitlements` the entitlements of its redeemed codes end at once, too. Idempotent; a later request can add `endEntitlements`.',
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
    'A redeemed code stays redeemed; with `endEntitlements` its entitlement ends at once. `POST /access-codes/lookup` finds the id of a ' +
    'code by its text. Idempotent.',
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
    'The answer does not say who redeemed the code. The request is a POST, so that no code appears in a URL. Case, spaces and hyphens do ' +
    'not matter.',
  applications: administered,
  auth: issueCodes,
  uses: [get(AccessCodes), get(AccessCodeBatches), withSecret(AccessCodeKey)],
  body: z.object({ code: TypedCode }),
  response: AccessCode,
  errors: [AccessCodeMistyped, AccessCodeNotFound],
});
