import { auditAction } from '../../lib/contract/audit-actions.ts';

export const ticketAnswered = auditAction('ticket.answered');
export const ticketChanged = auditAction('ticket.changed');
export const ticketMoved = auditAction('ticket.moved');
export const ticketNoted = auditAction('ticket.noted');
export const urgentTicketAcknowledged = auditAction('urgent-ticket.acknowledged');
