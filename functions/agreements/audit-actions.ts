import { auditAction } from '../../lib/contract/audit-actions.ts';

export const agreementChanged = auditAction('agreement.changed');
export const agreementCreated = auditAction('agreement.created');
export const agreementVersionDrafted = auditAction('agreement-version.drafted');
export const agreementVersionPublished = auditAction('agreement-version.published');
export const agreementVersionWithdrawn = auditAction('agreement-version.withdrawn');
