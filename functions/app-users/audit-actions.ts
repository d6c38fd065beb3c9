import { auditAction } from '../../lib/contract/audit-actions.ts';

export const userDisabled = auditAction('user.disabled');
export const userEnabled = auditAction('user.enabled');
export const userSignedOut = auditAction('user.signed-out');
export const userVerificationResent = auditAction('user.verification-resent');
