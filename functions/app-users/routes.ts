import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { withAsciiDomain } from '../../lib/contract/email-address.ts';
import { Id, pathId } from '../../lib/contract/fields.ts';
import { instants, instantsInOrder } from '../../lib/contract/ranges.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { append, batch, check, get, joined, read, replace, sendTo } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { SignInEntry } from '../auth/schemas.ts';
import { SignIns } from '../auth/tables.ts';
import { endingUses } from '../auth/uses.ts';
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
    '`email` is a whole address, in upper or lower case; with it, all other parameters are ignored. `groupId` lists the ' +
    'members of that group by their ids, and the other parameters restrict the list; it needs `groups:admin`. The ' +
    'users were created from `from` on and before `to`. The lists have only users that have used ' +
    'the app: the first start of the app creates the user, who is in the lists within seconds. A page can have fewer users ' +
    'than `limit`.',
  applications: ['medinfo'],
  auth: readUsers,
  dataSubject: { each: 'userId', exception: because },
  uses: [read(Users), batch(Users), read(UserDirectory), batch(UserDirectory), get(Groups), read(GroupMembers)],
  query: z
    .object({
      // A plus that the caller did not escape arrives as a space, which no address has.
      email: z.optional(
        z.string().check(
          z.overwrite((text) => text.trim().replaceAll(' ', '+')),
          z.maxLength(254),
          z.regex(/^[^\s@]+@[^\s@]+$/, 'must be an e-mail address'),
          z.overwrite(withAsciiDomain),
        ),
      ),
      status: z.optional(z.enum(statuses)),
      ...instants,
      groupId: z.optional(Id),
    })
    .check(instantsInOrder),
  cursor: 'entry',
  items: AppUser,
  errors: [GroupNotFound],
});

const ofUser = z.object({ userId: pathId(UserNotFound) });

const changingUses = [
  read(Users),
  read(UserDirectory),
  replace(UserDirectory),
  get(Accounts),
  check(Accounts),
  append(AuditEvents),
  userPool(['enable', 'disable', 'end-sessions'], 'sleepcare'),
  sendTo(MailQueue),
] as const;

export const readAppUser = route({
  method: 'GET',
  path: '/users/{userId}',
  summary: 'A user of the sleep-care app: the account, and no health data',
  applications: ['medinfo'],
  auth: readUsers,
  dataSubject: { param: 'userId', exception: because },
  uses: [read(Users), read(UserDirectory)],
  params: ofUser,
  response: AppUser,
  errors: [UserNotFound],
});

export const listSignInsOfUser = route({
  method: 'GET',
  path: '/users/{userId}/sign-ins',
  summary: "The sign-ins to a user's account in the last 90 days, newest first",
  description: 'As the user sees them (`GET /users/me/sign-ins`). The user sees the look in the access log.',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: { param: 'userId', exception: because },
  uses: [read(Users), read(SignIns)],
  params: ofUser,
  cursor: 'signInId',
  items: SignInEntry,
  errors: [UserNotFound],
});

export const disableUser = route({
  method: 'POST',
  path: '/users/{userId}/disable',
  summary: "Disables a user's account",
  description:
    'From then on nobody can sign in to the account or renew a session, and access tokens that were issued before are ' +
    'refused (401). Idempotent.',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: { param: 'userId', exception: because },
  uses: joined(changingUses, endingUses),
  params: ofUser,
  response: AppUser,
  errors: [UserNotFound],
});

export const enableUser = route({
  method: 'POST',
  path: '/users/{userId}/enable',
  summary: "Enables a user's account again",
  description:
    'Idempotent. If the user has requested the deletion of the account, the answer is 404: only the user can cancel ' +
    'the deletion.',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: { param: 'userId', exception: because },
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
  description: 'Access tokens that were issued before are refused at once (401).',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: { param: 'userId', exception: because },
  uses: joined([read(Users), append(AuditEvents), userPool('end-sessions', 'sleepcare')], endingUses),
  params: ofUser,
  response: Done,
  errors: [UserNotFound],
});

export const resendVerification = route({
  method: 'POST',
  path: '/users/{userId}/resend-verification',
  summary: 'Sends a user the mail of a sign-up again',
  description:
    'The mail goes to the address of the account. It has a code if the account has no password yet; otherwise it ' +
    'says that the account exists. At most five such mails an hour go to an address.',
  applications: ['medinfo'],
  auth: administerUsers,
  dataSubject: { param: 'userId', exception: because },
  uses: joined([read(Users), append(AuditEvents)], [sendTo(MailQueue)]),
  params: ofUser,
  response: Done,
  errors: [UserNotFound],
});
