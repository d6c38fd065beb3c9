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
              'agent-board:read-own',
              'agent-board:write-own',
              'consents:read-own',
              'consents:write-own',
              'devices:read-own',
              'devices:write-own',
              'permissions:read-own',
              'profile:read-own',
              'profile:write-own',
              'questionnaires:read',
              'questionnaires:read-own',
              'questionnaires:write-own',
            ],
          },
          {
            role: 'developer',
            permissions: [
              'agent-board:read-own',
              'agent-board:write-own',
              'consents:read-own',
              'consents:write-own',
              'devices:read-own',
              'devices:write-own',
              'permissions:read-own',
              'profile:read-own',
              'profile:write-own',
              'push:test',
              'questionnaires:read',
              'questionnaires:read-own',
              'questionnaires:write-own',
              'time-machine:use',
            ],
          },
          {
            role: 'integration',
            permissions: [
              'agent-board:read-own',
              'agent-board:write-own',
              'consents:read',
              'consents:read-own',
              'consents:write-own',
              'devices:read-own',
              'devices:write-own',
              'permissions:read-own',
              'profile:read-own',
              'profile:write-own',
              'questionnaires:read',
              'questionnaires:read-own',
              'questionnaires:write-own',
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
          'agent-board:read-own',
          'agent-board:write-own',
          'consents:read-own',
          'consents:write-own',
          'devices:read-own',
          'devices:write-own',
          'permissions:read-own',
          'profile:read-own',
          'profile:write-own',
          'questionnaires:read',
          'questionnaires:read-own',
          'questionnaires:write-own',
        ],
      },
    },
  },
};
