import type { OwnWrites } from '../own-writes.ts';

export const ownWrites: OwnWrites = {
  agree: async ({ call }) => {
    return () => call('POST', '/agreements/versions/marketing-1.0/agree');
  },
  agreeToVersions: async ({ call }) => {
    return () => call('POST', '/users/agreements', { versionIds: ['marketing-1.0', 'research-data-1.0'] });
  },
  revokeConsent: async ({ call }) => {
    await call('POST', '/agreements/versions/marketing-1.0/agree');
    return () => call('DELETE', '/users/agreements/marketing/consent');
  },
};
