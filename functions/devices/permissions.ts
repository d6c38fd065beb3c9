import { owners, permission } from '../../lib/contract/permissions.ts';

export const readOwnDevices = permission('devices:read-own', owners);

export const writeOwnDevices = permission('devices:write-own', owners);
