import { permission } from '../../lib/contract/permissions.ts';

export const readDirectory = permission('crm-users:read', {
  roles: ['physician', 'agent', 'admin', 'clinical-safety'],
});

/** The entry of the own; others' for `crm:admin`, as the handlers say. */
export const keepEntries = permission('crm-users:keep', {
  roles: ['physician', 'agent', 'admin', 'researcher', 'clinical-safety'],
});
