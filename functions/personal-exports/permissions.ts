import { owners, permission } from '../../lib/contract/permissions.ts';

export const readOwnExports = permission('exports:read-own', owners);

export const writeOwnExports = permission('exports:write-own', owners);
