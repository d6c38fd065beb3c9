import type { AuditAction } from '../../../lib/contract/audit-actions.ts';
import type { Role } from '../../../lib/contract/register.ts';
import {
  staffDisabled,
  staffEnabled,
  staffRoleGiven,
  staffRoleTaken,
  staffSecondFactorReset,
} from '../audit-actions.ts';
import { type Decide, disables, enables, givesRole, resetsSignIn, takesRole } from '../rules/staff.ts';

/** What administrators decide about a member of staff, and what the audit event says of it. */
export type Decision = { readonly action: AuditAction; readonly decide: Decide };

export const disabling: Decision = { action: staffDisabled, decide: disables };
export const enabling: Decision = { action: staffEnabled, decide: enables };
export const resettingSignIn: Decision = { action: staffSecondFactorReset, decide: resetsSignIn };

export function givingRole(role: Role): Decision {
  return { action: staffRoleGiven, decide: givesRole(role) };
}

export function takingRole(role: Role): Decision {
  return { action: staffRoleTaken, decide: takesRole(role) };
}
