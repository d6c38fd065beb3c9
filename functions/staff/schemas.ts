import * as z from 'zod/mini';
import { Accounts } from '../../lib/contract/accounts.ts';
import { pathId, Timestamp, visibleLine, wellFormed } from '../../lib/contract/fields.ts';
import { adjust, append, check, get, read, replace, userPool } from '../../lib/contract/uses.ts';
import { AuditEvents } from '../audit/tables.ts';
import { Sessions } from '../auth/tables.ts';
import { StaffDirectory } from '../crm-users/tables.ts';
import { roles } from '../product.ts';
import { RoleNotFound, StaffNotFound } from './errors.ts';
import { StaffAccounts } from './tables.ts';

/** The `uses` of a route that changes an account of the staff: the row, the roster, the directory, the audit event, and the user pool. */
export const changingUses = [
  read(StaffAccounts),
  append(StaffAccounts),
  adjust(StaffAccounts),
  get(Accounts),
  check(Accounts),
  get(StaffDirectory),
  replace(StaffDirectory),
  append(AuditEvents),
  read(Sessions),
  adjust(Sessions),
  userPool('staff'),
] as const;

export const RoleName = z.enum(roles);

/** The name that patients see. */
export const StaffName = z.string().check(
  z.overwrite((given) => given.trim()),
  z.maxLength(200),
  wellFormed,
  visibleLine,
);

export const StaffMember = z.object({
  staffId: z.string(),
  /** Null only for a user who is not in the user pool: the local stage makes tokens of such users. */
  email: z.nullable(z.string()),
  /** Null until a name is set. */
  name: z.nullable(z.string()),
  roles: z.array(RoleName),
  status: z.enum(['invited', 'active', 'disabled']),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});

export const UserRoles = z.object({ userId: z.string(), roles: z.array(RoleName) });

export const ofStaff = z.object({ staffId: pathId(StaffNotFound) });
export const ofUser = z.object({ userId: pathId(StaffNotFound) });
export const ofRole = z.object({ userId: pathId(StaffNotFound), role: pathId(RoleNotFound) });
