import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

export const reference: ReferenceTo<typeof routes> = {
  about: 'Signing in, renewing a session and ending it.',
  examples: {
    issueTokens: {
      body: {
        grantType: 'password',
        username: 'patient@example.com',
        password: 'patient-patient',
        deviceId: '7d0f9c52-3b1e-4a6f-8c2d-5e4f3a2b1c0d',
        deviceName: 'iPhone 17',
        appVersion: '2.4.1',
      },
      answer: {
        accessToken: 'eyJraWQiOiJTdm9nNTdx…',
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: 'eyJjdHkiOiJKV1QiLCJl…',
      },
    },
    listSessions: {
      answer: {
        items: [
          {
            sessionId: '3f0c6a4e-2b51-4f5e-9c0d-7a1e2b3c4d5e',
            createdAt: '2026-11-23T07:13:50.000Z',
            renewedAt: '2026-11-23T09:02:11.120Z',
            appVersion: '2.4.1',
            device: 'iPhone 17',
            isCurrent: false,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    endSession: { params: { sessionId: '3f0c6a4e-2b51-4f5e-9c0d-7a1e2b3c4d5e' }, answer: { success: true } },
    endSessions: { answer: { success: true } },
    issueRecoveryCodes: {
      answer: {
        codes: [
          'K7MWQ-2ZP9D',
          'B4HXN-VT63R',
          '9QFJL-8SAY5',
          'W2EGU-C7KPM',
          'T5RDZ-H3NVX',
          'J8YSB-6LQFA',
          'P4UKE-G9W2T',
          'N7CXM-5ZRHD',
          'V3AFQ-Y8JBS',
          'L6GPT-E2KWU',
        ],
      },
    },
    useRecoveryCode: {
      body: { username: 'patient@example.com', password: 'patient-patient', recoveryCode: 'K7MWQ-2ZP9D' },
      answer: { success: true },
    },
    revokeToken: { body: { refreshToken: 'eyJjdHkiOiJKV1QifQ.c3BlbnQ' }, answer: { success: true } },
    getPhysicianAccess: {
      answer: { accessToken: 'eyJraWQiOiJoakpDc2RE…', tokenType: 'Bearer', expiresIn: 898, refreshToken: null },
    },
  },
};
