import { auditAction } from '../../lib/contract/audit-actions.ts';

export const coursePublished = auditAction('course.published');
