import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Roles and permissions.',
  examples: {
    listRoles: {
      answer: {
        items: [
          {
            role: 'patient',
            permissions: [
              'access-codes:write-own',
              'agent-board:read-own',
              'agent-board:write-own',
              'consents:read-own',
              'consents:write-own',
              'devices:read-own',
              'devices:write-own',
              'entitlements:read-own',
              'permissions:read-own',
              'profile:read-own',
              'profile:write-own',
            ],
          },
          {
            role: 'developer',
            permissions: [
              'access-codes:write-own',
              'agent-board:read-own',
              'agent-board:write-own',
              'consents:read-own',
              'consents:write-own',
              'devices:read-own',
              'devices:write-own',
              'entitlements:read-own',
              'permissions:read-own',
              'profile:read-own',
              'profile:write-own',
              'push:test',
              'time-machine:use',
            ],
          },
          {
            role: 'integration',
            permissions: [
              'access-codes:write-own',
              'agent-board:read-own',
              'agent-board:write-own',
              'consents:read',
              'consents:read-own',
              'consents:write-own',
              'devices:read-own',
              'devices:write-own',
              'entitlements:read-own',
              'permissions:read-own',
              'profile:read-own',
              'profile:write-own',
            ],
          },
        ],
        metadata: { limit: 100, count: 3, hasMore: false, nextCursor: null },
      },
    },
    readOwnPermissions: {
      answer: {
        userId: '95f807be-bb56-4119-899f-ee487ecfa121',
        roles: ['patient'],
        permissions: [
          'access-codes:write-own',
          'agent-board:read-own',
          'agent-board:write-own',
          'consents:read-own',
          'consents:write-own',
          'devices:read-own',
          'devices:write-own',
          'entitlements:read-own',
          'permissions:read-own',
          'profile:read-own',
          'profile:write-own',
        ],
      },
    },
  },
};
