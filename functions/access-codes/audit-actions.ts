import { auditAction } from '../../lib/contract/audit-actions.ts';

export const accessCodeBatchIssued = auditAction('access-code-batch.issued');
export const accessCodeBatchRevoked = auditAction('access-code-batch.revoked');
export const accessCodeEntitlementEnded = auditAction('access-code.entitlement-ended');
/** So many of a batch could not be ended. */
export const accessCodeBatchEntitlementsLeft = auditAction('access-code-batch.entitlements-left');
export const accessCodeRevoked = auditAction('access-code.revoked');
