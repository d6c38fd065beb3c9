import { auditAction } from '../../lib/contract/audit-actions.ts';

export const siteChanged = auditAction('site.changed');
export const siteCodeRenewed = auditAction('site.code-renewed');
export const siteCreated = auditAction('site.created');
export const siteDeleted = auditAction('site.deleted');
export const siteStaffAdded = auditAction('site.staff-added');
export const siteStaffRemoved = auditAction('site.staff-removed');
export const siteStaffRenamed = auditAction('site.staff-renamed');
