import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

export const readOwnExports = permission('exports:read-own', owners);

export const writeOwnExports = permission('exports:write-own', owners);
