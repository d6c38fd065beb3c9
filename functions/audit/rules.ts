export { type AuditEvent, type AuditOccasion, auditEvent, auditPut } from './rules/audit-event.ts';
export { changedFields, etagOf, isFromBefore, preconditionOf } from './rules/revision.ts';
