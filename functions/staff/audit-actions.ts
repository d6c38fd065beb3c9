import { auditAction } from '../../lib/contract/audit-actions.ts';

export const staffAccepted = auditAction('staff.accepted');
export const staffDisabled = auditAction('staff.disabled');
export const staffEnabled = auditAction('staff.enabled');
export const staffEntered = auditAction('staff.entered');
export const staffInvited = auditAction('staff.invited');
export const staffInvitedAgain = auditAction('staff.invited-again');
export const staffRenamed = auditAction('staff.renamed');
export const staffRoleGiven = auditAction('staff.role-given');
export const staffRoleTaken = auditAction('staff.role-taken');
export const staffSecondFactorReset = auditAction('staff.second-factor-reset');
