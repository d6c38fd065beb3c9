import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import {
  Id,
  Locale,
  pathId,
  QueryInstant,
  RecordedVersion,
  Sha256,
  Timestamp,
  WantedLocale,
} from '../../lib/contract/fields.ts';
import { issue } from '../../lib/contract/issues.ts';
import { route } from '../../lib/contract/route.ts';
import { append, get, read } from '../../lib/contract/uses.ts';
import { AgreementNotFound, AgreementVersionNotFound } from '../agreements/errors.ts';
import { Agreements } from '../agreements/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { AgreementRequired, AgreementVersionNotActive, AgreementVersionsNotFound } from './errors.ts';
import { readConsents, readOwnConsents, writeOwnConsents } from './permissions.ts';
import { ConsentRecord } from './schemas.ts';
import { ConsentRecords, ConsentStates } from './tables.ts';

const both = ['sleepcare', 'medinfo'] as const;

export const AgreementItem = z.object({
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
  /** When the account was closed after the latest record; a consent ended then, and is given anew after a restoration. */
  endedAt: z.nullable(Timestamp),
  reconsentRequired: z.boolean(),
});

export const listAgreements = route({
  method: 'GET',
  path: '/users/agreements',
  summary: "The application's agreements and whether the caller consents to each",
  description:
    'In catalogue order. Without `limit` the whole catalogue is one page. A newer major version does not change ' +
    '`agreed`; it sets `reconsentRequired`. A consent that ended with the account is not `agreed`, also when the deletion of ' +
    'the account was taken back: `endedAt`. The `ETag` is that of the page in its language: sent as `If-None-Match`, it ' +
    'is answered with 304 while nothing on the page is different.',
  applications: both,
  auth: readOwnConsents,
  whenClosed: 'answers',
  uses: [read(ConsentStates), read(Agreements)],
  query: z.object({ locale: z.optional(WantedLocale) }),
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  etag: true,
  cacheControl: 'private, no-cache',
  items: AgreementItem,
  defaultLimit: 100,
  errors: [],
});

export const agree = route({
  method: 'POST',
  path: '/agreements/versions/{versionId}/agree',
  metrics: ['consents'],
  summary: 'Consents to the active version of an agreement',
  description:
    'Idempotent: agreeing to the version that is already agreed to answers the original `agreedAt` and writes ' +
    'nothing. Used for a first consent, for a consent after a revocation and for a newer version.',
  applications: both,
  auth: writeOwnConsents,
  uses: [get(ConsentRecords), append(ConsentRecords), get(ConsentStates), append(ConsentStates), read(Agreements)],
  params: z.object({ versionId: pathId(AgreementVersionNotFound) }),
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  body: z.optional(
    z.object({
      locale: z.optional(WantedLocale),
      appVersion: z.optional(RecordedVersion),
    }),
  ),
  response: z.object({
    success: z.boolean(),
    agreementId: Id,
    versionId: Id,
    agreed: z.literal(true),
    agreedAt: Timestamp,
  }),
  errors: [AgreementVersionNotFound, AgreementVersionNotActive],
});

/** A version that is agreed to since `agreedAt`. */
export const AgreedVersion = z.object({ agreementId: Id, versionId: Id, agreed: z.boolean(), agreedAt: Timestamp });

export const agreeToVersions = route({
  method: 'POST',
  path: '/users/agreements',
  metrics: ['consents'],
  summary: 'Consents to several agreements at once',
  description:
    'For the onboarding: up to 20 active versions, all of them or none. Each is agreed to by the rules of ' +
    '`POST /agreements/versions/{versionId}/agree`, so that repeating it answers each original `agreedAt` and writes ' +
    'nothing. `consents` are in the order of `versionIds`. `AGREEMENT_VERSION_NOT_ACTIVE` names the agreement of the ' +
    'first version that is not active.',
  applications: both,
  auth: writeOwnConsents,
  uses: [get(ConsentRecords), append(ConsentRecords), read(ConsentStates), append(ConsentStates), read(Agreements)],
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  body: z.object({
    versionIds: z.array(Id).check(
      z.minLength(1),
      z.maxLength(20),
      z.refine((ids) => new Set(ids).size === ids.length, issue('repeated', 'must name each version once')),
    ),
    locale: z.optional(WantedLocale),
    appVersion: z.optional(RecordedVersion),
  }),
  response: z.object({
    success: z.boolean(),
    consents: z.array(AgreedVersion),
  }),
  errors: [AgreementVersionsNotFound, AgreementVersionNotActive],
});

export const revokeConsent = route({
  method: 'DELETE',
  path: '/users/agreements/{agreementId}/consent',
  metrics: ['revocations'],
  summary: 'Revokes the consent to an optional agreement',
  description:
    'Idempotent: without an active consent it is a success that writes nothing. The consent to a required agreement ' +
    'is never revoked here; the way out of it is the deletion of the account.',
  applications: both,
  auth: writeOwnConsents,
  uses: [get(ConsentRecords), append(ConsentRecords), get(ConsentStates), append(ConsentStates), read(Agreements)],
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  response: z.object({
    success: z.boolean(),
    agreementId: Id,
    agreed: z.literal(false),
    revokedAt: Timestamp,
  }),
  errors: [AgreementNotFound, AgreementRequired],
});

export const listConsentRecords = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/history',
  summary: "The caller's consent records of one agreement, newest first",
  description:
    '`metadata.ends` are the times at which the account was closed: what was agreed to before one of them ended then, ' +
    'without a record.',
  applications: both,
  auth: readOwnConsents,
  whenClosed: 'answers',
  uses: [read(ConsentRecords), read(Agreements)],
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  items: ConsentRecord,
  metadata: z.object({ ends: z.array(Timestamp) }),
  errors: [AgreementNotFound],
});

const stateQuery = z.object({ at: z.optional(QueryInstant) });

export const ConsentStateAt = z.object({
  userId: z.string(),
  agreementId: Id,
  /** The time that is answered for. */
  at: Timestamp,
  /** False from `endedAt` on, whatever the record says. */
  agreed: z.boolean(),
  /** The latest record of that time; null where there was none yet. */
  record: z.nullable(ConsentRecord),
  /** When the account was closed after the record, with which every consent ended; null where that was not so by `at`. */
  endedAt: z.nullable(Timestamp),
});

export const readOwnConsentState = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/state',
  summary: 'Whether the caller consented to an agreement at a time, and by which record',
  description:
    'Without `at`, and for a time in the future, the answer is that of now; its `at` tells. Every consent ends when the ' +
    'deletion of the account is requested, and stays ended when that is taken back: `endedAt`.',
  applications: both,
  auth: readOwnConsents,
  whenClosed: 'answers',
  uses: [read(ConsentRecords), read(Agreements)],
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  query: stateQuery,
  response: ConsentStateAt,
  errors: [AgreementNotFound],
});

export const readConsentState = route({
  method: 'GET',
  path: '/users/{userId}/agreements/{agreementId}/state',
  summary: 'Whether a user consented to an agreement at a time: for other services, before they process data',
  description:
    'As strongly consistent as the user sees it: a revocation that was answered is seen by the next call. A user ' +
    'without a record, and one that is unknown, did not consent. Without `at`, and for a time in the future, the answer ' +
    'is that of now; its `at` tells. From the request to delete the account on, `agreed` is false; when ' +
    'that is taken back, until the user agrees again. Where there is a record, `endedAt` is the time of the request.',
  applications: both,
  auth: readConsents,
  about: { param: 'userId', exception: 'other services ask for the consent itself, before they process data' },
  uses: [read(ConsentRecords), read(Agreements), get(Accounts)],
  params: z.object({ userId: pathId(UserNotFound), agreementId: pathId(AgreementNotFound) }),
  query: stateQuery,
  response: ConsentStateAt,
  errors: [UserNotFound, AgreementNotFound],
});
