import type { OwnWrites } from '../own-writes.ts';

const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };

export const ownWrites: OwnWrites = {
  registerDevice: async ({ call, userId }) => {
    return () => call('PUT', '/users/me/devices/phone', { ...phone, token: `token-${userId}` });
  },
  unregisterDevice: async ({ call, userId }) => {
    await call('PUT', '/users/me/devices/phone', { ...phone, token: `token-${userId}` });
    return () => call('DELETE', '/users/me/devices/phone');
  },
};
