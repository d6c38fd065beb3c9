import type { OwnWrites } from '../own-writes.ts';
import { password } from './people.ts';

export const ownWrites: OwnWrites = {
  // It writes that a password was tried.
  changePassword: async ({ call }) => {
    return () => call('PUT', '/users/me/password', { currentPassword: 'a-wrong-passphrase', password });
  },
  // A code that is none writes nothing; the closed account is refused before it is looked at.
  verifyEmailChange: async ({ call }) => {
    return () => call('POST', '/users/me/email/verify', { email: 'nobody@example.com', code: '000000' });
  },
};
