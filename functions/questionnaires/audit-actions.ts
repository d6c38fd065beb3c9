import { auditAction } from '../../lib/contract/audit-actions.ts';

export const questionnaireBundleReplaced = auditAction('questionnaire-bundle.replaced');
export const questionnairePublished = auditAction('questionnaire.published');
