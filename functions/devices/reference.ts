import type { ReferenceTo } from '../../lib/contract/reference.ts';
import type * as routes from './routes.ts';

const pixel = {
  deviceId: 'my-pixel',
  platform: 'android',
  environment: 'production',
  appVersion: '2.1.0',
  locale: 'de-DE',
  status: 'active',
  tokenHash: 'd5edc5795e17',
  registeredAt: '2026-11-22T07:13:50.626Z',
  renewedAt: '2026-11-22T07:13:50.626Z',
} as const;

export const reference: ReferenceTo<typeof routes> = {
  about: "A user's phones and their push tokens.",
  examples: {
    registerDevice: {
      params: { deviceId: 'my-pixel' },
      body: {
        platform: 'android',
        token: 'fcm-registration-token',
        environment: 'production',
        appVersion: '2.1.0',
        locale: 'de-DE',
      },
      answer: { ...pixel, replacedDeviceIds: [] },
    },
    listDevices: {
      answer: {
        items: [
          pixel,
          {
            deviceId: 'patient-android',
            platform: 'android',
            environment: 'production',
            appVersion: '2.0.0',
            locale: 'en-GB',
            status: 'active',
            tokenHash: '717439384233',
            registeredAt: '2026-01-01T00:00:00.000Z',
            renewedAt: '2026-01-01T00:00:00.000Z',
          },
          {
            deviceId: 'patient-iphone',
            platform: 'ios',
            environment: 'production',
            appVersion: '2.0.0',
            locale: 'de-DE',
            status: 'active',
            tokenHash: '30fc6694ea54',
            registeredAt: '2026-01-01T00:00:00.000Z',
            renewedAt: '2026-01-01T00:00:00.000Z',
          },
        ],
        metadata: { limit: 20, count: 3, hasMore: false, nextCursor: null },
      },
    },
    unregisterDevice: {
      params: { deviceId: 'my-pixel' },
      answer: { success: true, deviceId: 'my-pixel', registered: false },
    },
  },
};
