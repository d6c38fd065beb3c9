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
    issueRecoveryCodes: {
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
