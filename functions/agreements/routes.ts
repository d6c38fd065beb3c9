import * as z from 'zod/mini';
import { Id, Locale, pathId, Sha256, Timestamp, WantedLocale } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';

const both = ['sleepcare', 'medinfo'] as const;

const AgreementItem = z.object({
  agreementId: Id,
  versionId: Id,
  isRequired: z.boolean(),
  agreed: z.boolean(),
  isAgreeable: z.boolean(),
  title: z.string(),
  contentUrl: z.string(),
  contentHash: Sha256,
  locale: Locale,
  effectiveFrom: Timestamp,
  agreedVersionId: z.nullable(Id),
  agreedAt: z.nullable(Timestamp),
  revokedAt: z.nullable(Timestamp),
  reconsentRequired: z.boolean(),
});

const ConsentRecord = z.object({
  userId: z.string(),
  agreementId: Id,
  recordedAt: Timestamp,
  sequence: z.int(),
  recordId: Id,
  action: z.enum(['agreed', 'revoked']),
  versionId: Id,
  contentHash: Sha256,
  locale: Locale,
  localeSource: z.enum(['stated', 'negotiated']),
  appVersion: z.nullable(z.string()),
  requestId: z.string(),
  source: z.enum(['user', 'imported']),
  previousHash: z.nullable(Sha256),
  hash: Sha256,
});

export const listAgreements = route({
  method: 'GET',
  path: '/users/agreements',
  summary: "The application's agreements and whether the caller consents to each",
  description:
    'In catalogue order. Without `limit` the whole catalogue is one page. A newer major version does not change ' +
    '`agreed`; it sets `reconsentRequired`.',
  applications: both,
  auth: 'consents:read-own',
  uses: { ConsentStates: 'read', Agreements: 'read' },
  query: z.object({ locale: z.optional(WantedLocale) }),
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  items: AgreementItem,
  defaultLimit: 100,
  errors: [],
});

export const agree = route({
  method: 'POST',
  path: '/agreements/versions/{versionId}/agree',
  summary: 'Consents to the active version of an agreement',
  description:
    'Idempotent: agreeing to the version that is already agreed to answers the original `agreedAt` and writes ' +
    'nothing. Used for a first consent, for a consent after a revocation and for a newer version.',
  applications: both,
  auth: 'consents:write-own',
  uses: { ConsentRecords: 'transact', ConsentStates: 'transact', Agreements: 'read' },
  params: z.object({ versionId: pathId('AGREEMENT_VERSION_NOT_FOUND') }),
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  body: z.optional(
    z.object({
      locale: z.optional(WantedLocale),
      appVersion: z.optional(z.string().check(z.minLength(1), z.maxLength(64))),
    }),
  ),
  response: z.object({
    success: z.boolean(),
    agreementId: Id,
    versionId: Id,
    agreed: z.literal(true),
    agreedAt: Timestamp,
  }),
  errors: ['AGREEMENT_VERSION_NOT_FOUND', 'AGREEMENT_VERSION_NOT_ACTIVE'],
});

export const revokeConsent = route({
  method: 'DELETE',
  path: '/users/agreements/{agreementId}/consent',
  summary: 'Revokes the consent to an optional agreement',
  description:
    'Idempotent: without an active consent it is a success that writes nothing. The consent to a required agreement ' +
    'is never revoked here; the way out of it is the deletion of the account.',
  applications: both,
  auth: 'consents:write-own',
  uses: { ConsentRecords: 'transact', ConsentStates: 'transact', Agreements: 'read' },
  params: z.object({ agreementId: pathId('AGREEMENT_NOT_FOUND') }),
  response: z.object({
    success: z.boolean(),
    agreementId: Id,
    agreed: z.literal(false),
    revokedAt: Timestamp,
  }),
  errors: ['AGREEMENT_NOT_FOUND', 'AGREEMENT_REQUIRED'],
});

export const listConsentRecords = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/history',
  summary: "The caller's consent records of one agreement, newest first",
  applications: both,
  auth: 'consents:read-own',
  uses: { ConsentRecords: 'read', Agreements: 'read' },
  params: z.object({ agreementId: pathId('AGREEMENT_NOT_FOUND') }),
  items: ConsentRecord,
  errors: ['AGREEMENT_NOT_FOUND'],
});
