import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { Email, pathId, Timestamp, visibleLine, wellFormed } from '../../lib/contract/fields.ts';
import { userPool } from '../../lib/contract/user-pool-uses.ts';
import { adjust, append, check, get, joined, read, replace } from '../../lib/contract/uses.ts';
import { NewPassword } from '../accounts/schemas.ts';
import { AuditEvents } from '../audit/tables.ts';
import { endingUses } from '../auth/uses.ts';
import { StaffDirectory } from '../crm-users/tables.ts';
import { roles } from '../product.ts';
import { RoleNotFound, StaffNotFound } from './errors.ts';
import { StaffAccounts } from './tables.ts';

/** What each change of an account of the staff uses: the row, the roster, the directory and the audit event. */
export const changingUses = joined(endingUses, [
  read(StaffAccounts),
  append(StaffAccounts),
  adjust(StaffAccounts),
  get(Accounts),
  check(Accounts),
  get(StaffDirectory),
  replace(StaffDirectory),
  append(AuditEvents),
]);

/** For letting the pool follow the row. */
export const followsRow = userPool(['read', 'disable', 'enable']);

/** What a change of roles or state uses: it may end the sessions. */
export const standingUses = joined(changingUses, [followsRow, userPool('end-sessions')]);

export const accepting = {
  email: Email,
  token: z.string().check(z.regex(/^[0-9a-f]{8}\.[\w-]{43}$/, 'must be the token of the link')),
  code: z.string().check(z.regex(/^[0-9]{8}$/, 'must be eight digits')),
  password: NewPassword,
};
export const Acceptance = z.object(accepting);
export const Accepted = z.object({ success: z.boolean() });

export const RoleName = z.enum(roles);

/** The name that patients see. */
export const StaffName = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(200),
  wellFormed,
  visibleLine,
);

const member = {
  staffId: z.string(),
  /** Null only for a user who is not in the user pool: the local stage makes tokens of such users. */
  email: z.nullable(z.string()),
  /** Null until a name is set. */
  name: z.nullable(z.string()),
  roles: z.array(RoleName),
  status: z.enum(['invited', 'active', 'disabled']),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const StaffMember = z.object(member);

/** A member of staff, and what an invitation or a reset needs beside the mail. Without `z.extend`, which would be 1.5 KiB of each bundle. */
export const InvitedMember = z.object({
  ...member,
  /** Eight digits, which the mail does not have: tell them to the person in another way. Null if no mail was sent. */
  invitationCode: z.nullable(z.string()),
});

export const UserRoles = z.object({ userId: z.string(), roles: z.array(RoleName) });

export const ofStaff = z.object({ staffId: pathId(StaffNotFound) });
export const ofUser = z.object({ userId: pathId(StaffNotFound) });
export const ofRole = z.object({ userId: pathId(StaffNotFound), role: pathId(RoleNotFound) });
