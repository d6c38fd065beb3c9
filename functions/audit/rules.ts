export { type AuditEvent, type AuditOccasion, auditEvent } from './rules/audit-event.ts';
export { changedFields, etagOf, isFromBefore, preconditionOf } from './rules/revision.ts';
