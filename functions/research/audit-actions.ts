import { auditAction } from '../../lib/contract/audit-actions.ts';

export const studyCodeRenewed = auditAction('study.code-renewed');
export const studyCreated = auditAction('study.created');
export const studyInvitationsIssued = auditAction('study.invitations-issued');
export const studyMoved = auditAction('study.moved');
export const studyReplaced = auditAction('study.replaced');
