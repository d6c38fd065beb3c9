import { auditAction } from '../../lib/contract/audit-actions.ts';

export const legalHoldLifted = auditAction('legal-hold.lifted');
export const legalHoldPlaced = auditAction('legal-hold.placed');
export const userErasureRequested = auditAction('user.erasure-requested');
