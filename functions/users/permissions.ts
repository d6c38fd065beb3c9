import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

/** Also by a caller in no group. */
export const readOwnProfile = permission('profile:read-own', { roles: [], everyoneIn: ['sleepcare', 'medinfo'] });

export const writeOwnProfile = permission('profile:write-own', owners);

export const readUsers = permission('users:read', { roles: ['agent', 'admin'] });

export const administerUsers = permission('users:admin', { roles: ['admin'] });
