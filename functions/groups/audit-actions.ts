import { auditAction } from '../../lib/contract/audit-actions.ts';

export const groupCreated = auditAction('group.created');
export const groupDeleted = auditAction('group.deleted');
export const groupMemberAdded = auditAction('group.member-added');
export const groupMemberRemoved = auditAction('group.member-removed');
export const groupMessageSent = auditAction('group.message-sent');
export const groupReplaced = auditAction('group.replaced');
