import { auditAction } from '../../lib/contract/audit-actions.ts';

export const recoveryCodeUsed = auditAction('recovery-code.used');
export const recoveryCodesIssued = auditAction('recovery-codes.issued');
