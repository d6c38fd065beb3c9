import type { erasureStage } from './stage.ts';

/** A request of each route that writes what is its caller's own: what has to be there before it, and the request. */

type House = ReturnType<typeof erasureStage>;
type Person = Awaited<ReturnType<House['person']>>;
type Answer = Awaited<ReturnType<Person['call']>>;
/** @returns the request that writes */
type OwnWrite = (person: Person, house: House) => Promise<() => Promise<Answer>>;

export const phone = { platform: 'android', environment: 'production', appVersion: '1.0.0', locale: 'de-DE' };

export const ownWrites: Readonly<Record<string, OwnWrite>> = {
  agree: async ({ call }) => {
    return () => call('POST', '/agreements/versions/marketing-1.0/agree');
  },
  revokeConsent: async ({ call }) => {
    await call('POST', '/agreements/versions/marketing-1.0/agree');
    return () => call('DELETE', '/users/agreements/marketing/consent');
  },
  registerDevice: async ({ call, userId }) => {
    return () => call('PUT', '/users/me/devices/phone', { ...phone, token: `token-${userId}` });
  },
  unregisterDevice: async ({ call, userId }) => {
    await call('PUT', '/users/me/devices/phone', { ...phone, token: `token-${userId}` });
    return () => call('DELETE', '/users/me/devices/phone');
  },
  markMessageRead: async ({ call, userId }, house) => {
    await call('GET', '/users/me');
    const admin = await house.admin();
    const { body } = await admin('POST', `/users/${userId}/agent-board/messages`, { title: 'T', body: 'B' });
    return () => call('POST', `/agent-board/messages/${body.messageId}/read`);
  },
  updateProfile: async ({ call }) => {
    await call('GET', '/users/me');
    return () => call('PATCH', '/users/me', { locale: 'de' });
  },
};
