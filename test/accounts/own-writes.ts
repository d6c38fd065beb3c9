import { newAddress } from '../mails.ts';
import type { OwnWrites } from '../own-writes.ts';
import { accepted } from '../personal-rows.ts';
import { password } from './people.ts';

export const ownWrites: OwnWrites = {
  // It writes that a password was tried.
  changePassword: async ({ call }) => {
    return () => call('PUT', '/users/me/password', { currentPassword: 'a-wrong-passphrase', password });
  },
  verifyEmailChange: async ({ call, codeTo }) => {
    const email = newAddress();
    await accepted(call('POST', '/users/me/email', { email }));
    const code = await codeTo(email);
    return () => call('POST', '/users/me/email/verify', { email, code });
  },
};
