import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Signing in, renewing a session and ending it.',
  examples: {
    issueTokens: {
      body: { grantType: 'password', username: 'patient@example.com', password: 'patient-patient' },
      answer: {
        accessToken: 'eyJraWQiOiJTdm9nNTdx…',
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: 'eyJjdHkiOiJKV1QiLCJl…',
      },
    },
    revokeToken: { body: { refreshToken: 'eyJjdHkiOiJKV1QifQ.c3BlbnQ' }, answer: { success: true } },
    getPhysicianAccess: {
      answer: { accessToken: 'eyJraWQiOiJoakpDc2RE…', tokenType: 'Bearer', expiresIn: 898, refreshToken: null },
    },
  },
};
