import { owners, permission } from '../../lib/contract/permissions.ts';

export const viewOwnPermissions = permission('permissions:read-own', owners);

/** Held already; its routes come with the support domain. */
export const writeSupport = permission('support:write', { roles: ['agent', 'admin'] });
