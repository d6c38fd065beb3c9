import * as z from 'zod/mini';
import { PreconditionFailed, PreconditionRequired, ValidationFailed } from '../../lib/contract/common-errors.ts';
import { Email, Id, KnownLocale } from '../../lib/contract/fields.ts';
import { route } from '../../lib/contract/route.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import {
  append,
  batch,
  callTo,
  check,
  get,
  joined,
  read,
  replace,
  sendTo,
  withSecret,
} from '../../lib/contract/uses.ts';
import { Staff } from '../access/data-subject.ts';
import { PasswordRejected } from '../accounts/errors.ts';
import { AuditEvents } from '../audit/tables.ts';
import { RecoveryCodes } from '../auth/tables.ts';
import { SiteClosed, SiteNotFound } from '../crm-sites/errors.ts';
import { SiteStaff, Sites } from '../crm-sites/tables.ts';
import { IdempotencyKeyReused } from '../idempotency/errors.ts';
import { idempotencyHeaders, idempotencyUses, withKeyNote } from '../idempotency/schemas.ts';
import { MailQueue } from '../mail/queues.ts';
import { MailKey } from '../mail/secrets.ts';
import { InvitationInvalid, OwnAccount, RoleNotFound, StaffExists, StaffNotFound } from './errors.ts';
import { administerRoles } from './permissions.ts';
import { AcceptInvitation } from './procedures.ts';
import {
  Acceptance,
  Accepted,
  changingUses,
  followsRow,
  InvitedMember,
  ofRole,
  ofStaff,
  ofUser,
  RoleName,
  StaffMember,
  StaffName,
  standingUses,
  UserRoles,
} from './schemas.ts';
import { StaffAccounts } from './tables.ts';

export { InvitedMember, StaffMember, UserRoles } from './schemas.ts';

const medinfo = ['medinfo'] as const;
const because = 'administration of staff: the administrators decide who works here, and what each of them may do';

export const inviteStaff = route({
  method: 'POST',
  path: '/admin/staff',
  summary: 'Invites a member of staff by mail',
  description: withKeyNote(
    'The mail has a link with a token, and the answer has a code (`invitationCode`): tell it to the person in another way. The person ' +
      'cannot sign in before accepting the invitation with both (`POST /admin/staff/accept`), within 24 hours. With `siteId` ' +
      'the person works at that site, which must be open. The mail is in the language of `locale`, or in English if there is none. The ' +
      'caller must have signed in within the last ten minutes, and gets a mail, too.',
  ),
  applications: medinfo,
  auth: administerRoles,
  signedInWithinSeconds: 600,
  dataSubject: { each: 'staffId', exception: because },
  uses: joined(
    changingUses,
    joined(
      [
        get(Staff),
        append(Staff),
        append(SiteStaff),
        get(Sites),
        check(Sites),
        followsRow,
        userPool(['create', 'set-password']),
        sendTo(MailQueue),
        withSecret(MailKey),
      ],
      idempotencyUses,
    ),
  ),
  headers: idempotencyHeaders,
  body: z.object({
    email: Email,
    name: StaffName,
    roles: z.array(RoleName).check(z.maxLength(20)),
    siteId: z.optional(Id),
    locale: z.optional(KnownLocale),
  }),
  status: 201,
  response: InvitedMember,
  errors: [ValidationFailed, StaffExists, SiteNotFound, SiteClosed, IdempotencyKeyReused],
});

export const resendStaffInvitation = route({
  method: 'POST',
  path: '/admin/staff/{staffId}/invitation',
  summary: 'Renews an invitation',
  description:
    'Another mail is sent. Its link and the code of the answer are valid for 24 hours; the old ones stop working. If the person has ' +
    'already accepted the invitation, no mail is sent, and the answer says so. The caller must have signed in within the last ten minutes.',
  applications: medinfo,
  auth: administerRoles,
  signedInWithinSeconds: 600,
  dataSubject: { param: 'staffId', exception: because },
  uses: [
    get(StaffAccounts),
    append(StaffAccounts),
    get(Staff),
    append(AuditEvents),
    sendTo(MailQueue),
    withSecret(MailKey),
    userPool('set-password'),
  ],
  params: ofStaff,
  response: z.object({ staffId: z.string(), isSent: z.boolean(), invitationCode: z.nullable(z.string()) }),
  errors: [StaffNotFound],
});

export const acceptStaffInvitation = route({
  method: 'POST',
  path: '/admin/staff/accept',
  summary: 'Accepts an invitation: the person chooses a password',
  description:
    'The request has the token, which the link of the mail has after the `#`, and the code, which the person gets from whoever ' +
    'invited. Both are valid for 24 hours and five tries. The answer is the same for a wrong token, a wrong code, an expired invitation ' +
    'and an address that was not invited.',
  applications: medinfo,
  auth: 'public',
  uses: [callTo(AcceptInvitation)],
  body: Acceptance,
  response: Accepted,
  errors: [PasswordRejected, InvitationInvalid],
});

export const listStaff = route({
  method: 'GET',
  path: '/admin/staff',
  summary: 'The staff, with the roles of each',
  description:
    'The list has everybody who was invited, and everybody whom an operator or an administrator entered or changed. An account that ' +
    'was made in the user pool by other means is listed after its first change.',
  applications: medinfo,
  auth: administerRoles,
  dataSubject: { each: 'staffId', exception: because },
  uses: [read(StaffAccounts), batch(Staff)],
  cursor: 'userId',
  items: StaffMember,
  errors: [],
});

export const readStaffMember = route({
  method: 'GET',
  path: '/admin/staff/{staffId}',
  summary: 'A member of staff',
  applications: medinfo,
  auth: administerRoles,
  dataSubject: { param: 'staffId', exception: because },
  uses: [read(StaffAccounts), read(Staff)],
  params: ofStaff,
  response: StaffMember,
  etag: true,
  errors: [StaffNotFound],
});

export const updateStaffMember = route({
  method: 'PATCH',
  path: '/admin/staff/{staffId}',
  summary: "Changes a member of staff's name",
  description:
    'Changes the name that patients see. Requires `If-Match` with the `ETag` that was read. Roles have their own routes.',
  applications: medinfo,
  auth: administerRoles,
  dataSubject: { param: 'staffId', exception: because },
  uses: joined(changingUses, [read(Staff), append(Staff)]),
  params: ofStaff,
  headers: z.object({ 'if-match': z.optional(z.string()) }),
  body: z.object({ name: StaffName }),
  response: StaffMember,
  etag: true,
  errors: [StaffNotFound, OwnAccount, PreconditionFailed, PreconditionRequired],
});

export const disableStaff = route({
  method: 'POST',
  path: '/admin/staff/{staffId}/disable',
  summary: 'Disables an account of the staff',
  description:
    'From then on nobody can sign in to it, and tokens that were issued before are refused within a minute (401). ' +
    'Idempotent. Administrators cannot disable their own account, so at least one administrator is always left.',
  applications: medinfo,
  auth: administerRoles,
  dataSubject: { param: 'staffId', exception: because },
  uses: joined(standingUses, [read(Staff)]),
  params: ofStaff,
  response: StaffMember,
  errors: [StaffNotFound, OwnAccount],
});

export const enableStaff = route({
  method: 'POST',
  path: '/admin/staff/{staffId}/enable',
  summary: 'Enables an account of the staff again',
  description:
    'The account keeps its roles. Tokens that were issued before stay refused: the person has to sign in again. ' +
    'Idempotent. The caller must have signed in within the last ten minutes, and gets a mail.',
  applications: medinfo,
  auth: administerRoles,
  signedInWithinSeconds: 600,
  dataSubject: { param: 'staffId', exception: because },
  uses: joined(standingUses, [read(Staff), sendTo(MailQueue)]),
  params: ofStaff,
  response: StaffMember,
  errors: [StaffNotFound, OwnAccount],
});

export const resetStaffMfa = route({
  method: 'POST',
  path: '/admin/staff/{staffId}/reset-mfa',
  summary: 'Resets the password and the second factor of a member of staff, and ends all sessions',
  description:
    'Use this after a phone was lost. The authenticator app and the recovery codes stop working. The person gets a mail with a link, ' +
    'and chooses a new password with it and the code of this answer (`POST /admin/staff/accept`). Until then ' +
    'the state is `invited`. If the pool requires a second factor, the next sign-in sets up a new app. The caller must have signed in ' +
    "within the last ten minutes, and must have checked the person's identity. Each repetition sends another mail.",
  applications: medinfo,
  auth: administerRoles,
  signedInWithinSeconds: 600,
  dataSubject: { param: 'staffId', exception: because },
  uses: joined(standingUses, [
    read(Staff),
    userPool(['set-password', 'delete-second-factor']),
    replace(RecoveryCodes),
    sendTo(MailQueue),
    withSecret(MailKey),
  ]),
  params: ofStaff,
  response: InvitedMember,
  errors: [StaffNotFound, OwnAccount],
});

export const readUserRoles = route({
  method: 'GET',
  path: '/iam/users/{userId}/roles',
  summary: 'The roles of a member of staff',
  applications: medinfo,
  auth: administerRoles,
  dataSubject: { param: 'userId', exception: because },
  uses: [get(StaffAccounts), userPool('read')],
  params: ofUser,
  response: UserRoles,
  errors: [StaffNotFound],
});

export const giveRole = route({
  method: 'PUT',
  path: '/iam/users/{userId}/roles/{role}',
  summary: 'Gives a role to a member of staff',
  description:
    'The role takes effect within a minute, also for tokens that were issued before. Idempotent. Administrators ' +
    'cannot change their own roles. The caller must have signed in within the last ten minutes, and gets a mail.',
  applications: medinfo,
  auth: administerRoles,
  signedInWithinSeconds: 600,
  dataSubject: { param: 'userId', exception: because },
  uses: joined(standingUses, [sendTo(MailQueue)]),
  params: ofRole,
  response: UserRoles,
  errors: [StaffNotFound, RoleNotFound, OwnAccount],
});

export const takeRole = route({
  method: 'DELETE',
  path: '/iam/users/{userId}/roles/{role}',
  summary: 'Takes a role from a member of staff',
  description:
    'The sessions end, and tokens that were issued before are refused within a minute (401): the person has to ' +
    'sign in again. Idempotent. Administrators cannot change their own roles, so at least one administrator is ' +
    'always left.',
  applications: medinfo,
  auth: administerRoles,
  dataSubject: { param: 'userId', exception: because },
  uses: standingUses,
  params: ofRole,
  response: UserRoles,
  errors: [StaffNotFound, RoleNotFound, OwnAccount],
});
