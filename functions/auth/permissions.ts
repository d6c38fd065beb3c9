import { permission } from '../../lib/contract/permissions.ts';
import { owners } from '../product.ts';

export const readOwnSessions = permission('sessions:read-own', owners);

export const endOwnSessions = permission('sessions:end-own', owners);
