import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const user = {
  userId: '95f807be-bb56-4119-899f-ee487ecfa121',
  username: '95f807be-bb56-4119-899f-ee487ecfa121',
  email: 'patient@example.com',
  locale: null,
  timezone: null,
  createdAt: '2026-11-22T07:13:45.919Z',
};
const stated = { locale: 'de-DE', timezone: 'Europe/Berlin' };

export const reference: ReferenceTo<typeof routes> = {
  about: "The caller's profile.",
  examples: {
    readProfile: {
      answer: { ...user, birthYear: null, roles: ['patient'] },
    },
    updateProfile: {
      body: stated,
      answer: { ...user, ...stated, birthYear: null, roles: ['patient'] },
    },
  },
};
