import { auditAction } from '../../lib/contract/audit-actions.ts';

export const appVersionPolicyReplaced = auditAction('app-version-policy.replaced');
