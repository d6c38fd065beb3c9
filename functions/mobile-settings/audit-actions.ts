import { auditAction } from '../../lib/contract/audit-actions.ts';

export const mobileSettingDefined = auditAction('mobile-setting.defined');
export const mobileSettingDeleted = auditAction('mobile-setting.deleted');
export const mobileSettingReplaced = auditAction('mobile-setting.replaced');
