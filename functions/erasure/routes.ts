import * as z from 'zod/mini';
import { pathId, Timestamp } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { append, get, logTo, read, replace, userPool } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { ConsentStates } from '../consents/tables.ts';
import { Evidence, erasuresPrefix } from '../ledger/buckets.ts';
import { UserNotFound } from '../users/errors.ts';
import { administerUsers, writeOwnProfile } from '../users/permissions.ts';
import { Users } from '../users/tables.ts';
import { ConsentsReleased } from './errors.ts';
import { Erasures } from './tables.ts';

const time = z.nullable(Timestamp);

const LegalHold = z.object({
  since: Timestamp,
  /** The administrator's `userId`. */
  by: z.string(),
  reason: z.string(),
});

const State = z.object({
  userId: z.string(),
  /** `held` goes before `requested` and `erased`, whose times tell how far it had come. */
  status: z.enum(['none', 'requested', 'held', 'erased', 'released']),
  requestedAt: time,
  signInClosedAt: time,
  /** When the last access token has run out; null until sign-in is closed. */
  erasesAt: time,
  /** A hold after it keeps the records alone. */
  erasureBegunAt: time,
  erasedAt: time,
  /** The consent records are kept until then. */
  retainUntil: time,
  releasedAt: time,
  recordsExpireAt: time,
  legalHold: z.nullable(LegalHold),
});

const params = z.object({ userId: pathId(UserNotFound) });

export const requestErasure = route({
  method: 'DELETE',
  path: '/users/me',
  summary: "Starts the deletion of the caller's account",
  description:
    'Sign-in and the renewal of tokens end at once. At `erasesAt`, when no access token is valid any more, the profile, the ' +
    'devices, the messages and the account itself are erased, within minutes; `erasesAt` is null while a legal hold keeps ' +
    'them. Consent records stay as evidence under the random `userId` for the retention period. Idempotent: a repetition ' +
    "answers the first request's times. After a 503 the request may be recorded; a repetition completes it.",
  applications: ['sleepcare', 'medinfo'],
  auth: writeOwnProfile,
  uses: [
    read(Erasures),
    replace(Erasures),
    get(Users),
    append(Users),
    userPool('close'),
    logTo(Evidence, erasuresPrefix),
  ],
  response: z.object({
    userId: z.string(),
    status: z.literal('requested'),
    requestedAt: Timestamp,
    erasesAt: time,
  }),
  errors: [],
});

export const readErasure = route({
  method: 'GET',
  path: '/users/{userId}/erasure',
  summary: "How far a user's erasure is",
  description: 'Of either application, also of a user who is erased.',
  applications: ['medinfo'],
  auth: administerUsers,
  uses: [read(Erasures), read(Users), read(ConsentStates)],
  params,
  response: State,
  errors: [UserNotFound],
});

export const setLegalHold = route({
  method: 'PUT',
  path: '/users/{userId}/legal-hold',
  summary: 'Keeps the data of a user from being erased, and the records from being released',
  description:
    'Also before the user asks for the erasure; sign-in ends with that all the same. `reason` names the case, no person: ' +
    'it is kept as evidence. Idempotent. An erasure that has begun (`erasureBegunAt`) goes on to its end, and the hold ' +
    'then keeps the records.',
  applications: ['medinfo'],
  auth: administerUsers,
  uses: [
    read(Erasures),
    replace(Erasures),
    read(Users),
    read(ConsentStates),
    append(AuditEvents),
    logTo(Evidence, erasuresPrefix),
  ],
  params,
  body: z.object({
    reason: z.string().check(
      z.overwrite((text) => text.trim()),
      z.minLength(1),
      z.maxLength(500),
      z.refine((text) => text.isWellFormed(), 'must be well-formed Unicode'),
    ),
  }),
  response: State,
  errors: [UserNotFound, ConsentsReleased],
});

export const liftLegalHold = route({
  method: 'DELETE',
  path: '/users/{userId}/legal-hold',
  summary: 'Lifts a legal hold',
  description: 'What it stopped goes on within minutes. Idempotent: without a hold nothing changes.',
  applications: ['medinfo'],
  auth: administerUsers,
  uses: [
    read(Erasures),
    replace(Erasures),
    read(Users),
    read(ConsentStates),
    append(AuditEvents),
    logTo(Evidence, erasuresPrefix),
  ],
  params,
  response: State,
  errors: [UserNotFound],
});
