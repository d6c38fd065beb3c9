import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { Id, pathId, QueryInstant } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { adjust, append, batch, check, get, joined, read, replace, sendTo, userPool } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { Sessions } from '../auth/tables.ts';
import { GroupNotFound } from '../groups/errors.ts';
import { GroupMembers, Groups } from '../groups/tables.ts';
import { MailQueue } from '../mail/queues.ts';
import { UserNotFound } from '../users/errors.ts';
import { administerUsers, readUsers } from '../users/permissions.ts';
import { User } from '../users/routes.ts';
import { Users } from '../users/tables.ts';
import { statuses } from './schemas.ts';
import { UserDirectory } from './tables.ts';

const because = 'administration of accounts, which shows no health data';

export const AppUser = z.extend(User, { status: z.enum(statuses) });

export const findUsers = route({
  method: 'GET',
  path: '/users',
  summary: 'The users of the sleep-care app, newest first, or the one with an e-mail address',
  description:
    'With `email` the whole address, in any case, and no other parameter counts. With `groupId` the members of that group, by their ' +
    'ids, of whom the other parameters leave those that fit; that is for whoever holds `groups:admin`. From `createdFrom` until before `createdTo`. Only ' +
    'who has used the app is found: its start makes the user, and the lists follow within seconds. A page may have fewer users than `limit`.',
  applications: ['medinfo'],
  auth: readUsers,
  about: { each: 'userId', exception: because },
  uses: [read(Users), batch(Users), read(UserDirectory), batch(UserDirectory), get(Groups), read(GroupMembers)],
  query: z.object({
    // A plus that the caller did not escape arrives as a space, which no address has.
    email: z.optional(
      z.string().check(
        z.overwrite((text) => text.trim().replaceAll(' ', '+')),
        z.maxLength(254),
        z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
      ),
    ),
    status: z.optional(z.enum(statuses)),
    createdFrom: z.optional(QueryInstant),
    createdTo: z.optional(QueryInstant),
    groupId: z.optional(Id),
  }),
  items: AppUser,
  errors: [GroupNotFound],
});

const ofUser = z.object({ userId: pathId(UserNotFound) });

/** The rows of a user's sessions end with them. */
const endingUses = [read(Sessions), adjust(Sessions)] as const;

const changingUses = [
  read(Users),
  read(UserDirectory),
  replace(UserDirectory),
  get(Accounts),
  check(Accounts),
  append(AuditEvents),
  userPool('manage-patients'),
] as const;

export const readAppUser = route({
  method: 'GET',
  path: '/users/{userId}',
  summary: 'A user of the sleep-care app: the account, and no health data',
  applications: ['medinfo'],
  auth: readUsers,
  about: { param: 'userId', exception: because },
  uses: [read(Users), read(UserDirectory)],
  params: ofUser,
  response: AppUser,
  errors: [UserNotFound],
});

export const disableUser = route({
  method: 'POST',
  path: '/users/{userId}/disable',
  summary: "Disables a user's account",
  description:
    'No sign-in and no renewal from then on. An access token that was issued before lives on until its end, 15 minutes at most. Idempotent.',
  applications: ['medinfo'],
  auth: administerUsers,
  about: { param: 'userId', exception: because },
  uses: joined(changingUses, endingUses),
  params: ofUser,
  response: AppUser,
  errors: [UserNotFound],
});

export const enableUser = route({
  method: 'POST',
  path: '/users/{userId}/enable',
  summary: "Enables a user's account again",
  description: 'Idempotent. An account whose deletion was asked for is 404: only its user can take that back.',
  applications: ['medinfo'],
  auth: administerUsers,
  about: { param: 'userId', exception: because },
  uses: changingUses,
  params: ofUser,
  response: AppUser,
  errors: [UserNotFound],
});

const Done = z.object({ success: z.boolean(), userId: z.string() });

export const signOutUser = route({
  method: 'POST',
  path: '/users/{userId}/sign-out',
  summary: 'Ends all sessions of a user',
  description: 'An access token that was issued before lives on until its end, 15 minutes at most.',
  applications: ['medinfo'],
  auth: administerUsers,
  about: { param: 'userId', exception: because },
  uses: joined([read(Users), append(AuditEvents), userPool('manage-patients')], endingUses),
  params: ofUser,
  response: Done,
  errors: [UserNotFound],
});

export const resendVerification = route({
  method: 'POST',
  path: '/users/{userId}/resend-verification',
  summary: 'Sends a user the mail of a sign-up again',
  description:
    'To the address of the account: with a code where nobody has chosen a password yet, else with the word that there is an account. ' +
    'At most five such mails go to an address in an hour.',
  applications: ['medinfo'],
  auth: administerUsers,
  about: { param: 'userId', exception: because },
  uses: joined([read(Users), append(AuditEvents)], [sendTo(MailQueue)]),
  params: ofUser,
  response: Done,
  errors: [UserNotFound],
});
