import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

export const readOwnDevices = permission('devices:read-own', owners);

export const writeOwnDevices = permission('devices:write-own', owners);
