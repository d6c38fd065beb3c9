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
    requestEmailChange: { body: { password, email: changed }, answer: { status: 'verification-sent' } },
    verifyEmailChange: { body: { email: changed, code: '161803' }, answer: { email: changed } },
    beginSecondFactor: { body: { password }, answer: { secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' } },
    verifySecondFactor: { body: { password, code: '123456' }, answer: { enabled: true } },
    removeSecondFactor: { body: { password, presentCode: '123456' }, answer: { enabled: false } },
    issueRecoveryCodes: {
      body: { password, presentCode: '123456' },
      answer: {
        codes: [
          '4S2E-9214-M318-JN5S-YQ9Y-X4X7-7QK4',
          'VENW-H96P-4NXS-BRKP-D7FM-4J7Q-7QK4',
          'BQAC-4S6N-B0BK-S12C-FQ54-SWB8-7QK4',
          'RHYR-9RKR-8R26-3C7R-MHM3-SFHR-7QK4',
          'ZKJ2-F0NS-H3Z3-NJV0-49D1-QJA0-7QK4',
          '1S5E-7Q0T-9D3N-9ZGR-AJ7B-NEKJ-7QK4',
          'NP5Z-YHFT-YVVB-5FV9-84V2-M4CM-7QK4',
          '628D-HQZJ-VX9E-NKTM-NPDA-P0FY-7QK4',
          '39N5-8J5W-F19E-ABDQ-70FN-YGCR-7QK4',
          'JSQM-6MQ4-FTA6-5BD2-JPRP-J438-7QK4',
        ],
      },
    },
  },
};
