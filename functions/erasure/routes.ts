import * as z from 'zod/mini';
import { appendTo, logTo, readBelow } from '../../lib/contract/bucket-uses.ts';
import { pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, check, joined, read, replace, sendTo } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { endingUses } from '../auth/uses.ts';
import { ConsentStates } from '../consents/tables.ts';
import { begunPrefix, decisionsPrefix, Evidence, erasuresPrefix, requestsPrefix } from '../evidence/buckets.ts';
import { MailQueue } from '../mail/queues.ts';
import { UserNotFound } from '../users/errors.ts';
import { administerUsers, readOwnProfile, writeOwnProfile } from '../users/permissions.ts';
import { Users } from '../users/tables.ts';
import { ConsentsReleased, GraceEnded, TooManyErasureRequests } from './errors.ts';
import { Accounts, Erasures, LegalHolds } from './tables.ts';

const time = z.nullable(Timestamp);

export const LegalHold = z.object({
  since: Timestamp,
  /** The administrator's `userId`. */
  by: z.string(),
  reason: z.string(),
});

export const ErasureState = z.object({
  userId: z.string(),
  /**
   * Under a hold the status is `held`, and not `requested` or `erased`; the times show how far the erasure has come.
   */
  status: z.enum(['none', 'requested', 'held', 'erased', 'released']),
  requestedAt: time,
  /** The time at which every consent ended. */
  endedAt: time,
  /** The end of the grace. */
  restorableUntil: time,
  /** When the user last took a request back. */
  restoredAt: time,
  signInClosedAt: time,
  /** When the last access token will have expired. */
  erasesAt: time,
  /** A hold that is placed later keeps only the records. */
  erasureBegunAt: time,
  erasedAt: time,
  /** The consent records are kept until then. */
  retainUntil: time,
  releasedAt: time,
  recordsExpireAt: time,
  legalHold: z.nullable(LegalHold),
});

const OwnState = z.object({
  userId: z.string(),
  status: z.enum(['none', 'requested', 'erased']),
  requestedAt: time,
  /** The time at which every consent ended. Nothing was written for the user after it. */
  endedAt: time,
  /** Until then the request can be taken back. */
  restorableUntil: time,
  /**
   * From then on no access token is valid, and the account is erased within minutes. Null while a legal hold keeps the
   * account.
   */
  erasesAt: time,
  /** When a request was last taken back. */
  restoredAt: time,
});

/** What a decision about an account is written with. */
const deciding = [read(Erasures), replace(Erasures), read(ConsentStates), logTo(Evidence, erasuresPrefix)] as const;

/**
 * To close an account, rows are put. To open it, its guard rows must be deleted. A function that makes requests may not do
 * that, so it can hide no request from its user: whatever else it writes, each write in the user's name is refused.
 */
const closing = joined(joined(endingUses, deciding), [append(Accounts)]);
const opening = joined(deciding, [replace(Accounts), read(Accounts), check(Erasures)]);

const params = z.object({ userId: pathId(UserNotFound) });
const legalDuty = { param: 'userId', exception: 'legal holds and erasures are legal duties' } as const;

export const requestErasure = route({
  method: 'DELETE',
  path: '/users/me',
  summary: "Starts the deletion of the caller's account",
  description:
    'Every consent ends at `endedAt`, all sessions end, and nothing more is written for the user. All routes ' +
    'answer 403 `ACCOUNT_CLOSED`, except those about the account, past consents, permissions and the export of ' +
    "the caller's own data. Until `restorableUntil` the user can sign in and cancel the deletion (`POST " +
    '/users/me/restore`). At `erasesAt`, when no access token is valid any more, the profile, the devices, the ' +
    'messages and the account itself are erased, within minutes; `erasesAt` is null while a legal hold keeps ' +
    'them. Consent records stay as evidence under the random `userId` for the retention period. Idempotent: a ' +
    'repeated request, after a new sign-in, gets the times of the first one. After a 503 the request may be recorded; a ' +
    'repetition completes it. If an earlier request can no longer be cancelled, neither can this one. After twenty requests ' +
    'and cancellations within a day the answer is 429 `TOO_MANY_ERASURE_REQUESTS`. The sign-in must be at most ten ' +
    'minutes old (403 `SIGN_IN_TOO_OLD`), and the user gets a mail that says until when the deletion can be cancelled.',
  applications: ['sleepcare', 'medinfo'],
  auth: writeOwnProfile,
  closedAccount: 'manage',
  signedInWithinSeconds: 600,
  uses: joined(closing, [
    userPool('end-sessions'),
    appendTo(Evidence, requestsPrefix),
    readBelow(Evidence, decisionsPrefix),
    sendTo(MailQueue),
  ]),
  response: OwnState,
  errors: [TooManyErasureRequests],
});

export const requestErasureOf = route({
  method: 'POST',
  path: '/users/{userId}/erasure',
  summary: "Starts the deletion of a user's account on the user's behalf",
  description:
    'For a user who asked by letter or telephone. It works like `DELETE /users/me`: within the same grace period ' +
    'the user can sign in and cancel the deletion. Idempotent: a repeated request gets the times of the first ' +
    'one. After a 503 the request may be recorded; a repetition completes it. The user gets a mail. The caller must have signed in ' +
    'within the last ten minutes.',
  applications: ['medinfo'],
  auth: administerUsers,
  signedInWithinSeconds: 600,
  dataSubject: legalDuty,
  uses: joined(closing, [
    read(Users),
    append(AuditEvents),
    userPool('end-sessions', 'sleepcare'),
    appendTo(Evidence, requestsPrefix),
    readBelow(Evidence, decisionsPrefix),
    sendTo(MailQueue),
  ]),
  params,
  response: ErasureState,
  errors: [UserNotFound, TooManyErasureRequests],
});

export const restoreAccount = route({
  method: 'POST',
  path: '/users/me/restore',
  summary: "Cancels the deletion of the caller's account",
  description:
    'Possible until `restorableUntil`. The account is as before, except for the consents: they stay ended, the ' +
    'list of agreements shows them as not agreed to, and the app asks again. Idempotent: without a request for ' +
    'deletion the call succeeds as well. The user gets a mail.',
  applications: ['sleepcare', 'medinfo'],
  auth: writeOwnProfile,
  closedAccount: 'manage',
  uses: joined(opening, [
    readBelow(Evidence, requestsPrefix),
    readBelow(Evidence, begunPrefix),
    appendTo(Evidence, decisionsPrefix),
    sendTo(MailQueue),
  ]),
  response: OwnState,
  errors: [GraceEnded],
});

export const readOwnErasure = route({
  method: 'GET',
  path: '/users/me/erasure',
  summary: "The progress of the deletion of the caller's account",
  description: 'For a caller that never requested the deletion, the state is `none`.',
  applications: ['sleepcare', 'medinfo'],
  auth: readOwnProfile,
  closedAccount: 'read',
  uses: [read(Erasures)],
  response: OwnState,
  errors: [],
});

export const readErasure = route({
  method: 'GET',
  path: '/users/{userId}/erasure',
  summary: "The progress of a user's erasure",
  description: 'For a user of either application, also for an erased user.',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: legalDuty,
  uses: [read(Erasures), read(Users), read(ConsentStates)],
  params,
  response: ErasureState,
  errors: [UserNotFound],
});

const changingHold = [
  read(Erasures),
  replace(Erasures),
  replace(LegalHolds),
  read(Users),
  read(ConsentStates),
  append(AuditEvents),
  logTo(Evidence, erasuresPrefix),
] as const;

export const setLegalHold = route({
  method: 'PUT',
  path: '/users/{userId}/legal-hold',
  summary: "Prevents the erasure of a user's data and the deletion of the consent records",
  description:
    'A hold can also be placed before the user requests the erasure. A hold does not keep sign-in open: it is ' +
    'closed at the end of the grace period. `reason` is the reference of the case, such as `LEGAL-2026-117`: it ' +
    'is kept as evidence. Idempotent. An erasure that has begun (`erasureBegunAt`) continues to its end; the hold ' +
    'then keeps only the consent records.',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: legalDuty,
  uses: changingHold,
  params,
  body: z.object({
    reason: z.string().check(
      z.overwrite((text) => text.trim()),
      // It is kept for good. So it is only a reference; people who may know more find the details in the case.
      z.regex(/^[A-Z]{2,12}-\d{4}-\d{1,8}$/, 'must be the reference of a case, such as LEGAL-2026-117'),
    ),
  }),
  response: ErasureState,
  errors: [UserNotFound, ConsentsReleased],
});

export const liftLegalHold = route({
  method: 'DELETE',
  path: '/users/{userId}/legal-hold',
  summary: 'Lifts a legal hold',
  description: 'An erasure that the hold stopped continues within minutes. Idempotent: without a hold nothing changes.',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: legalDuty,
  uses: changingHold,
  params,
  response: ErasureState,
  errors: [UserNotFound],
});
