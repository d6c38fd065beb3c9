import { auditAction } from '../../lib/contract/audit-actions.ts';

export const questionnaireFlagAcknowledged = auditAction('questionnaire-flag.acknowledged');
export const questionnaireFlagEnded = auditAction('questionnaire-flag.ended');
