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
        previousRefreshToken: 'mhrt1.…',
        deviceName: 'iPhone 17',
        appVersion: '2.4.1',
      },
      answer: {
        accessToken: 'eyJraWQiOiJTdm9nNTdx…',
        tokenType: 'Bearer',
        expiresIn: 900,
        refreshToken: 'mhrt1.…',
      },
    },
    listSessions: {
      answer: {
        items: [
          {
            sessionId: '3f0c6a4e-2b51-4f5e-9c0d-7a1e2b3c4d5e',
            createdAt: '2026-11-21T07:13:50.000Z',
            renewedAt: '2026-11-23T00:00:00.000Z',
            appVersion: '2.4.1',
            device: 'iPhone 17',
            isCurrent: false,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    listOwnSignIns: {
      answer: {
        items: [
          {
            signInId: '20261123T071350.000Z.9f86d081884c7d65',
            at: '2026-11-23T07:13:50.000Z',
            application: 'sleepcare',
            network: '192.0.2.0/24',
            isNewDevice: true,
          },
        ],
        metadata: { limit: 20, count: 1, hasMore: false, nextCursor: null },
      },
    },
    endSession: { params: { sessionId: '3f0c6a4e-2b51-4f5e-9c0d-7a1e2b3c4d5e' }, answer: { success: true } },
    endSessions: { answer: { success: true } },
    useRecoveryCode: {
      body: {
        username: 'patient@example.com',
        password: 'patient-patient',
        recoveryCode: '4S2E-9214-M318-JN5S-YQ9Y-X4X7-7QK4',
      },
      answer: { success: true },
    },
    revokeToken: { body: { refreshToken: 'mhrt1.0c9e6b1a-….3f0c6a4e-….c3BlbnQ' }, answer: { success: true } },
    getPhysicianAccess: {
      answer: { accessToken: 'eyJraWQiOiJoakpDc2RE…', tokenType: 'Bearer', expiresIn: 898, refreshToken: null },
    },
  },
};
