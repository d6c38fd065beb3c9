import { permission } from '../../lib/contract/permissions.ts';

export const testPushes = permission('push:test', { roles: ['developer'], metered: true });
