import { auditAction } from '../../lib/contract/audit-actions.ts';

export const crmUserChanged = auditAction('crm-user.changed');
