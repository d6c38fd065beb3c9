import { newAddress } from '../mails.ts';
import type { OwnWrites } from '../own-writes.ts';
import { accepted } from '../personal-rows.ts';
import { password } from './people.ts';

const wrong = 'a-wrong-passphrase';

/** What they write is that a password was tried. */
const tries: OwnWrites = {
  changePassword:
    async ({ call }) =>
    () =>
      call('PUT', '/users/me/password', { currentPassword: wrong, password }),
  beginSecondFactor:
    async ({ call }) =>
    () =>
      call('POST', '/users/me/second-factor', { password: wrong }),
  verifySecondFactor:
    async ({ call }) =>
    () =>
      call('POST', '/users/me/second-factor/verify', { password: wrong, code: '123456' }),
  removeSecondFactor:
    async ({ call }) =>
    () =>
      call('POST', '/users/me/second-factor/remove', { password: wrong }),
  requestEmailChange:
    async ({ call }) =>
    () =>
      call('POST', '/users/me/email', { password: wrong, email: newAddress() }),
};

export const ownWrites: OwnWrites = {
  ...tries,
  issueRecoveryCodes:
    async ({ call }) =>
    () =>
      call('POST', '/auth/recovery-codes', { password }),
  verifyEmailChange: async ({ password, call, codeTo }) => {
    const email = newAddress();
    await accepted(call('POST', '/users/me/email', { password, email }));
    const code = await codeTo(email);
    return () => call('POST', '/users/me/email/verify', { email, code });
  },
};
