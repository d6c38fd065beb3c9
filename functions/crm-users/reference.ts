import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const physician = '1d1c4b4e-0f4c-4c39-8a3f-3b2f5c9d7e10';
const entry = {
  userId: physician,
  name: 'Dr. Ada Example',
  title: null,
  specialties: [] as string[],
  siteIds: ['example-site'],
  roles: ['physician'] as ['physician'],
  status: 'active' as const,
};

export const reference: ReferenceTo<typeof routes> = {
  about: 'The staff directory.',
  examples: {
    listCrmUsers: {
      query: { name: 'dr a', limit: 20 },
      answer: { items: [entry], metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null } },
    },
    readCrmUser: { params: { userId: physician }, answer: entry },
    updateCrmUser: {
      params: { userId: physician },
      headers: { 'if-match': '"5"' },
      body: { title: 'Head of the sleep laboratory', specialties: ['sleep medicine'] },
      answer: { ...entry, title: 'Head of the sleep laboratory', specialties: ['sleep medicine'] },
    },
  },
};
