import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const email = 'new.patient@example.com';
const changed = 'changed.patient@example.com';
const password = 'a-long-new-passphrase';

/** As long as one of a mail is. */
const link = `3b1c6f0e.${'c2VhbGVkIGxpbmsg'.repeat(16)}`;

export const reference: ReferenceTo<typeof routes> = {
  about: 'Making an account, its password, its address and its second factor.',
  examples: {
    requestSignUp: {
      body: { email, locale: 'de-DE', timezone: 'Europe/Berlin' },
      answer: { status: 'verification-sent' },
    },
    verifySignUp: { body: { email, code: '271828', password, birthYear: 1980 }, answer: { success: true } },
    forgotPassword: { body: { email }, answer: { status: 'verification-sent' } },
    resetPassword: { body: { email, code: '314159', password }, answer: { success: true } },
    secureAccount: { body: { token: link }, answer: { status: 'secured', addressRestored: false } },
    chooseFirstPassword: {
      body: { email: 'printed@example.com', temporaryPassword: 'x7Qk-2mVb-9LwT-printed', password },
      answer: { success: true },
    },
    changePassword: { body: { currentPassword: 'patient-patient', password }, answer: { success: true } },
    requestEmailChange: { body: { email: changed }, answer: { status: 'verification-sent' } },
    verifyEmailChange: { body: { email: changed, code: '161803' }, answer: { email: changed } },
    beginSecondFactor: { body: { password }, answer: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } },
    verifySecondFactor: { body: { password, code: '123456' }, answer: { enabled: true } },
    removeSecondFactor: { body: { password, presentCode: '123456' }, answer: { enabled: false } },
  },
};
