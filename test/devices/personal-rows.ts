import { randomUUID } from 'node:crypto';
import { accepted, type PersonalRows } from '../personal-rows.ts';

const phone = { platform: 'android', environment: 'production', locale: 'de-DE' };

export const personalRows: PersonalRows = async ({ call, canary }) => {
  const token = randomUUID();
  await accepted(call('PUT', `/users/me/devices/${token}`, { ...phone, appVersion: canary, token }));
};
