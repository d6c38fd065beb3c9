import { permission } from '../../lib/contract/permissions.ts';

/** Of sites, and of who works there. */
export const administerSites = permission('crm:admin', { roles: ['admin'] });

export const readDirectory = permission('crm-users:read', {
  roles: ['physician', 'agent', 'admin', 'clinical-safety'],
});

/** The entry of the own; others' for `crm:admin`, as the handlers say. */
export const keepEntries = permission('crm-users:keep', {
  roles: ['physician', 'agent', 'admin', 'researcher', 'clinical-safety'],
});
