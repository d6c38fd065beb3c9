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
import { readOwnConsents } from '../agreements/permissions.ts';
import { Agreements } from '../agreements/tables.ts';
import { UserNotFound } from '../users/errors.ts';
import { AgreementVersionNotActive, AgreementVersionsNotFound, RequiredAgreement } from './errors.ts';
import { readConsents, writeOwnConsents } from './permissions.ts';
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
  /**
   * When the account was closed after the latest record. A consent ended at that time; after a restoration the user has to
   * agree again.
   */
  endedAt: z.nullable(Timestamp),
  reconsentRequired: z.boolean(),
});

export const listAgreements = route({
  method: 'GET',
  path: '/users/agreements',
  summary: "The application's agreements and whether the caller consents to each",
  description:
    'In catalogue order. Without `limit` the whole catalogue is one page. A newer major version does not change ' +
    '`agreed`; it sets `reconsentRequired`. A consent that ended with the account has `endedAt` and is not ' +
    '`agreed`, even if the user cancelled the deletion of the account. The `ETag` belongs to the page in its ' +
    'language: a request with it as `If-None-Match` gets 304 while the page is unchanged.',
  applications: both,
  auth: readOwnConsents,
  closedAccount: 'read',
  uses: [read(ConsentStates), read(Agreements)],
  query: z.object({ locale: z.optional(WantedLocale) }),
  headers: z.object({ 'accept-language': z.optional(z.string()) }),
  etag: true,
  cursor: ['position', 'agreementId'],
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
    'Idempotent: if the user already agrees to this version, the answer has the original `agreedAt`, and nothing ' +
    'is written. Used for a first consent, for a consent after a revocation and for a newer version.',
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

/** A version to which the user has agreed since `agreedAt`. */
export const AgreedVersion = z.object({ agreementId: Id, versionId: Id, agreed: z.boolean(), agreedAt: Timestamp });

export const agreeToVersions = route({
  method: 'POST',
  path: '/users/agreements',
  metrics: ['consents'],
  summary: 'Consents to several agreements at once',
  description:
    'For the onboarding: up to 20 active versions, all of them or none. Each follows the rules of `POST ' +
    '/agreements/versions/{versionId}/agree`: a repeated request gets each original `agreedAt`, and nothing is ' +
    'written. `consents` are in the order of `versionIds`. `AGREEMENT_VERSION_NOT_ACTIVE` names the agreement of ' +
    'the first version that is not active.',
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
    'Idempotent: without an active consent the call succeeds and writes nothing. The consent to a required ' +
    'agreement cannot be revoked; it ends only with the deletion of the account.',
  applications: both,
  auth: writeOwnConsents,
  uses: [read(ConsentRecords), append(ConsentRecords), get(ConsentStates), append(ConsentStates), get(Agreements)],
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  response: z.object({
    success: z.boolean(),
    agreementId: Id,
    agreed: z.literal(false),
    revokedAt: Timestamp,
  }),
  errors: [AgreementNotFound, RequiredAgreement],
});

export const listConsentRecords = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/history',
  summary: "The caller's consent records of one agreement, newest first",
  description:
    '`metadata.ends` are the times at which the account was closed. A consent that was given before such a time ' +
    'ended at that time, without a record.',
  applications: both,
  auth: readOwnConsents,
  closedAccount: 'read',
  uses: [read(ConsentRecords), get(Agreements)],
  params: z.object({ agreementId: pathId(AgreementNotFound) }),
  cursor: 'recordedAt',
  items: ConsentRecord,
  metadata: z.object({ ends: z.array(Timestamp) }),
  errors: [AgreementNotFound],
});

const stateQuery = z.object({ at: z.optional(QueryInstant) });

export const ConsentStateAt = z.object({
  userId: z.string(),
  agreementId: Id,
  /** The time to which the answer refers. */
  at: Timestamp,
  /** False from `endedAt` on, whatever the record says. */
  agreed: z.boolean(),
  /** The latest record at that time; null if there was none yet. */
  record: z.nullable(ConsentRecord),
  /** When the account was closed after the record, which ended every consent; null if that had not happened by `at`. */
  endedAt: z.nullable(Timestamp),
});

export const readOwnConsentState = route({
  method: 'GET',
  path: '/users/agreements/{agreementId}/state',
  summary: 'Whether the caller consented to an agreement at a time, and by which record',
  description:
    'Without `at`, and for a time in the future, the answer is for the present time, which its `at` names. Every ' +
    'consent ends at `endedAt`, when the user requests the deletion of the account. It stays ended if the user ' +
    'cancels the deletion.',
  applications: both,
  auth: readOwnConsents,
  closedAccount: 'read',
  uses: [read(ConsentRecords), get(Agreements)],
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
    'Strongly consistent: after the answer to a revocation, the next call sees it. A user without a record and an ' +
    'unknown user did not consent. Without `at`, and for a time in the future, the answer is for the present ' +
    'time, which its `at` names. When the user requests the deletion of the account, `agreed` becomes false. If the ' +
    'user cancels the deletion, it stays false until the user agrees again. If there is a record, `endedAt` is the ' +
    'time of the request.',
  applications: both,
  auth: readConsents,
  dataSubject: { param: 'userId', exception: 'other services ask for the consent itself, before they process data' },
  uses: [read(ConsentRecords), get(Agreements), get(Accounts)],
  params: z.object({ userId: pathId(UserNotFound), agreementId: pathId(AgreementNotFound) }),
  query: stateQuery,
  response: ConsentStateAt,
  errors: [UserNotFound, AgreementNotFound],
});
