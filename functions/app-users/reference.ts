import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const user = {
  userId: '95f807be-bb56-4119-899f-ee487ecfa121',
  username: '95f807be-bb56-4119-899f-ee487ecfa121',
  email: 'patient@example.com',
  locale: 'de-DE',
  timezone: 'Europe/Berlin',
  createdAt: '2026-11-22T07:13:45.919Z',
  status: 'active',
} as const;

const { userId } = user;

export const reference: ReferenceTo<typeof routes> = {
  about: 'The accounts of the sleep-care app: finding, disabling and signing out.',
  examples: {
    findUsers: {
      query: { email: 'patient@example.com' },
      answer: { items: [user], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    readAppUser: { params: { userId }, answer: user },
    listSignInsOfUser: {
      params: { userId },
      answer: {
        items: [
          {
            signInId: '20261123T071350.000Z.9f86d081884c7d65',
            at: '2026-11-23T07:13:50.000Z',
            application: 'sleepcare',
            network: '192.0.2.0/24',
            isNewDevice: true,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    disableUser: { params: { userId }, answer: { ...user, status: 'disabled' } },
    enableUser: { params: { userId }, answer: user },
    signOutUser: { params: { userId }, answer: { success: true, userId } },
    resendVerification: { params: { userId }, answer: { success: true, userId } },
  },
};
