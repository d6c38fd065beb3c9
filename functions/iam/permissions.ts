import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

export const viewOwnPermissions = permission('permissions:read-own', owners);
