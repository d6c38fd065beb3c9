import { namesHeld } from '../../lib/contract/permissions.ts';
import type { ReferenceTo } from '../../lib/contract/reference.ts';
import { permissions } from '../generated/iam-permissions.ts';
import type * as routes from './routes.ts';

/** Of the sleep-care app, where the examples are. */
function heldBy<const R extends string>(role: R) {
  return {
    role,
    permissions: namesHeld(permissions, { roles: [role], application: 'sleepcare' }).toSorted(),
  };
}

export const reference: ReferenceTo<typeof routes> = {
  about: 'Roles and permissions.',
  examples: {
    listRoles: {
      answer: {
        items: [heldBy('patient'), heldBy('developer'), heldBy('integration')],
        metadata: { limit: 100, count: 3, hasMore: false, nextCursor: null },
      },
    },
    checkPermission: {
      body: { permission: 'consents:write-own' },
      answer: { allowed: true, because: 'HELD' },
    },
    readOwnPermissions: {
      answer: {
        userId: '95f807be-bb56-4119-899f-ee487ecfa121',
        roles: ['patient'],
        permissions: heldBy('patient').permissions,
      },
    },
  },
};
