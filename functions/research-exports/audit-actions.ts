import { auditAction } from '../../lib/contract/audit-actions.ts';

export const researchExportAddressesIssued = auditAction('research-export.addresses-issued');
export const researchExportRequested = auditAction('research-export.requested');
