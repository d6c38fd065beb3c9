import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const ownThings = [
  'agent-board:read-own',
  'agent-board:write-own',
  'consents:read-own',
  'consents:write-own',
  'devices:read-own',
  'devices:write-own',
  'permissions:read-own',
  'profile:read-own',
  'profile:write-own',
] as const;

export const reference: ReferenceTo<typeof routes> = {
  about: 'Roles and permissions.',
  examples: {
    listRoles: {
      answer: {
        items: [
          {
            role: 'patient',
            permissions: [...ownThings],
          },
          {
            role: 'developer',
            permissions: [...ownThings, 'push:test', 'time-machine:use'],
          },
          {
            role: 'integration',
            permissions: (['consents:read', ...ownThings] as const).toSorted(),
          },
        ],
        metadata: { limit: 100, count: 3, hasMore: false, nextCursor: null },
      },
    },
    readOwnPermissions: {
      answer: {
        userId: '95f807be-bb56-4119-899f-ee487ecfa121',
        roles: ['patient'],
        permissions: [...ownThings],
      },
    },
  },
};
