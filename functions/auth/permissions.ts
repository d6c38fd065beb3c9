import { owners, permission } from '../../lib/contract/permissions.ts';

export const readOwnSessions = permission('sessions:read-own', owners);

export const endOwnSessions = permission('sessions:end-own', owners);
