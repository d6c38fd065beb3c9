import { owners, permission } from '../../lib/contract/permissions.ts';

export const viewOwnPermissions = permission('permissions:read-own', owners);
