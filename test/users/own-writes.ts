import type { OwnWrites } from '../own-writes.ts';

export const ownWrites: OwnWrites = {
  updateProfile: async ({ call }) => {
    await call('GET', '/users/me');
    return () => call('PATCH', '/users/me', { locale: 'de' });
  },
};
